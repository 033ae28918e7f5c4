import { Button } from '@mantine/core'
import { IconExchange } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatSpan, formatTime } from '../../../lib/times.ts'
import classes from './life.module.css'
import { Section } from './section.tsx'
import type { LifeProps } from './section-props.ts'
import { SwapDialog } from './swap-dialog.tsx'

/** Every IMEI by date, and the way to the next one. */
export function HardwareSection({ device, life, mayEdit }: LifeProps) {
  const { t } = useTranslation('deviceLife')
  const [isOpen, setOpen] = useState(false)
  const several = life.hardware.some(({ probe }) => probe > 1)
  return (
    <Section
      title={t('hardware.title')}
      text={life.hardware[0]?.to === null ? t('hardware.help') : t('hardware.none')}
      actions={
        mayEdit && (
          <Button variant="default" leftSection={<IconExchange size={16} />} onClick={() => setOpen(true)}>
            {t('swap.action')}
          </Button>
        )
      }
    >
      <ul className={classes.rows}>
        {life.hardware.map(({ imei, probe, from, to }) => (
          <li key={`${imei} ${from}`}>
            <span className={classes.number}>
              {imei}
              {several && <span className={classes.dim}> · {t('hardware.probe', { probe })}</span>}
            </span>
            <span className={classes.dim}>
              {to === null
                ? t('hardware.since', { from: formatTime(from) })
                : t('hardware.period', formatSpan(from, to))}
            </span>
          </li>
        ))}
      </ul>
      {isOpen && <SwapDialog device={device} onClose={() => setOpen(false)} />}
    </Section>
  )
}
