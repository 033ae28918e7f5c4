import type { BackTest, BackTestFiring } from '@isotherm/contract/back-test.ts'
import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatTime } from '../../../lib/times.ts'
import { happenedIn } from '../trigger-words.ts'
import classes from './alarms.module.css'

const shown = 50

/** "Over the last 30 days this alarm would have fired 7 times, 42 SMS units", and each of the firings. */
export function BackTestPanel({ result, isAsking }: { result: BackTest; isAsking: boolean }) {
  const { t } = useTranslation('alarms')
  const { count, firings, devices, smsUnits, chatUnits, mails } = result
  const figures = [
    ['fired', count],
    ['sms', smsUnits],
    ['chat', chatUnits],
    ['mails', mails],
  ] as const
  return (
    <>
      <p className={classes.summary} role="status">
        {t('backTest.sentence', { count, times: formatNumber(count) })} {t('backTest.devices', { count: devices })}
      </p>
      <dl className={classes.figures}>
        {figures
          .filter(([name, value]) => name === 'fired' || value > 0)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{t(`backTest.${name}`)}</dt>
              <dd>{formatNumber(value)}</dd>
            </div>
          ))}
      </dl>
      {(isAsking || result.progress < 1) && result.cursor !== null && (
        <Progress value={Math.max(3, result.progress * 100)} aria-label={t('backTest.progress')} animated />
      )}
      {firings.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <ul className={classes.firings} aria-label={t('backTest.list')} tabIndex={0}>
          {firings.slice(0, shown).map((firing) => (
            <li key={`${firing.deviceId} ${firing.condition} ${firing.openedAt}`}>
              <Firing firing={firing} to={result.to} />
            </li>
          ))}
          {count > shown && <li>{t('backTest.more', { count: count - Math.min(shown, firings.length) })}</li>}
        </ul>
      )}
    </>
  )
}

function Firing({ firing, to }: { firing: BackTestFiring; to: string }) {
  const { t } = useTranslation('triggers')
  return (
    <>
      {happenedIn({ ...firing, withdrawnAt: null }, t, Date.parse(to))}
      <small>{formatTime(firing.openedAt)}</small>
    </>
  )
}
