import { type NewShareLink, shareLinks } from '@isotherm/contract/share-links.ts'
import { Button } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import type { Subject } from '../subject.ts'
import { LinkList } from './link-list.tsx'
import { MadeLinkDialog } from './made-link-dialog.tsx'
import { Panel } from './panel.tsx'
import { ShareDialog } from './share-dialog.tsx'

/** The links of a device or group that are good now, and the way to a new one; for those who may edit it. */
export function ShareSection({ subject }: { subject: Subject }) {
  const { t } = useTranslation('shareLinks')
  const [dialog, setDialog] = useState<'make' | NewShareLink | null>(null)
  const row = subject.kind === 'device' ? shareLinks.ofDevice : shareLinks.ofGroup
  const answer = useCall(row, { params: { id: subject.id } }, { refetchMs: 60_000 })
  const close = () => setDialog(null)
  return (
    <Panel
      id="share-links"
      title={t('title')}
      text={t(`lead.${subject.kind}`)}
      action={
        <Button variant="default" leftSection={<IconLink size={16} />} onClick={() => setDialog('make')}>
          {t('make.action')}
        </Button>
      }
    >
      {/* Most have no link: a skeleton would move what is below, such as the button that deletes a group, under the finger. */}
      {answer.data && <LinkList links={answer.data} label={t('title')} />}
      {answer.error && !answer.data && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {dialog === 'make' && <ShareDialog subject={subject} onMade={setDialog} onClose={close} />}
      {dialog !== null && dialog !== 'make' && <MadeLinkDialog link={dialog} onClose={close} />}
    </Panel>
  )
}
