import { Button } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../../lib/times.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { Section } from './section.tsx'
import type { LifeProps } from './section-props.ts'

/** Since when a device is out of use, and the way back. */
export function RestoreSection({
  device,
  life,
  mayEdit,
  licenceNote,
}: LifeProps & { licenceNote: (key: string) => ReactNode }) {
  const { t } = useTranslation('deviceLife')
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title={t('restore.title')}
      text={t('restore.since', { time: formatTime(life.decommissionedAt ?? 0) })}
      actions={
        mayEdit && (
          <Button leftSection={<IconRestore size={16} />} onClick={() => setOpen(true)}>
            {t('restore.action')}
          </Button>
        )
      }
    >
      {isOpen && (
        <RestoreDialog
          device={{ id: device.id, name: device.name, lastImei: life.hardware[0]?.imei ?? null }}
          licenceNote={licenceNote}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  )
}
