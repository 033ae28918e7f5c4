import { type NewShareLink, type ShareLink, shareLinks } from '@isotherm/contract/share-links.ts'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconDeviceTv } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import { PageButtons } from '../../../ui/list/page-buttons.tsx'
import { useLastPage } from '../../../ui/list/use-last-page.ts'
import { SettingsPage } from '../../../ui/settings-page.tsx'
import { LinkList } from '../parts/link-list.tsx'
import { MadeLinkDialog } from '../parts/made-link-dialog.tsx'
import { Panel } from '../parts/panel.tsx'
import { WallDialog } from '../parts/wall-dialog.tsx'

/** For Admins: wall screens, and all links by which people without a login read values. */
export function SharingPage() {
  const { t } = useTranslation('shareLinks')
  const [dialog, setDialog] = useState<'add' | { edited: ShareLink } | { made: NewShareLink } | null>(null)
  const close = () => setDialog(null)
  const mayAdd = useCan(shareLinks.addWall)
  const show = (made: NewShareLink) => setDialog({ made })
  return (
    <SettingsPage width="panels">
      <Stack>
        <Panel
          id="walls"
          title={t('wall.title')}
          text={t('wall.lead')}
          action={
            <Group gap="sm">
              {mayAdd && (
                <Button leftSection={<IconDeviceTv size={16} />} onClick={() => setDialog('add')}>
                  {t('wall.add')}
                </Button>
              )}
              <Button component="a" href="/wall" target="_blank" variant="default">
                {t('wall.open')}
              </Button>
            </Group>
          }
        >
          <Links kind="wall" label={t('wall.title')} onEdit={(edited) => setDialog({ edited })} />
        </Panel>
        <Panel id="devices" title={t('all.devices')} text={t('all.lead')}>
          <Links kind="device" label={t('all.devices')} />
        </Panel>
        <Panel id="groups" title={t('all.groups')} text={t('all.groupsLead')}>
          <Links kind="group" label={t('all.groups')} />
        </Panel>
      </Stack>
      {dialog === 'add' && <WallDialog link={null} onMade={show} onClose={close} />}
      {dialog !== null && dialog !== 'add' && 'edited' in dialog && (
        <WallDialog link={dialog.edited} onMade={show} onClose={close} />
      )}
      {dialog !== null && dialog !== 'add' && 'made' in dialog && <MadeLinkDialog link={dialog.made} onClose={close} />}
    </SettingsPage>
  )
}

interface LinksProps {
  kind: 'wall' | 'device' | 'group'
  label: string
  onEdit?: (link: ShareLink) => void
}

function Links({ kind, label, onEdit }: LinksProps) {
  const { t } = useTranslation('shareLinks')
  const [page, setPage] = useState(1)
  const answer = useCall(shareLinks.all, { query: { kind, page } }, { refetchMs: 60_000 })
  const { data } = answer
  useLastPage({ page, pageCount: data?.meta.pageCount, onTurn: setPage })
  if (!data)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={48} mt="sm" />
    )
  if (data.data.length === 0)
    return (
      <Text size="sm" mt="sm">
        {t('none')}
      </Text>
    )
  return (
    <>
      <LinkList links={data.data} label={label} hasSubject onEdit={onEdit} />
      {data.meta.pageCount > 1 && <PageButtons page={page} pageCount={data.meta.pageCount} onTurn={setPage} />}
    </>
  )
}
