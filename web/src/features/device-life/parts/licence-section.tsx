import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/times.ts'
import { LicenceDialog } from './licence-dialog.tsx'
import classes from './life.module.css'
import { Section } from './section.tsx'
import type { LifeProps } from './section-props.ts'

/** Until when the device is licensed, by which keys, and the way to add one. */
export function LicenceSection({
  device,
  life,
  mayEdit,
  licenceNote,
}: LifeProps & { licenceNote: (key: string) => ReactNode }) {
  const { t } = useTranslation('deviceLife')
  const [isOpen, setOpen] = useState(false)
  const { licenceUntil, licences, hardware } = life
  const own = hardware[0]?.to === null ? hardware[0] : undefined
  const words = device.status === 'expired' ? 'licence.expired' : 'licence.until'
  return (
    <Section
      title={t('licence.title')}
      text={licenceUntil ? t(words, { date: formatDate(licenceUntil) }) : t('licence.none')}
      actions={
        mayEdit &&
        own && (
          <Button variant="default" leftSection={<IconKey size={16} />} onClick={() => setOpen(true)}>
            {t('licence.add')}
          </Button>
        )
      }
    >
      {licences.length > 0 && (
        <ul className={classes.rows}>
          {licences.map(({ hint, addedAt }) => (
            <li key={`${hint} ${addedAt}`}>
              {hint
                ? t('licence.key', { hint, date: formatDate(addedAt) })
                : t('licence.noKey', { date: formatDate(addedAt) })}
            </li>
          ))}
        </ul>
      )}
      {isOpen && own && (
        <LicenceDialog device={device} hardware={own} licenceNote={licenceNote} onClose={() => setOpen(false)} />
      )}
    </Section>
  )
}
