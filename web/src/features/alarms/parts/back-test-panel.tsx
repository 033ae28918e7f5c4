import type { BackTest, BackTestFiring } from '@isotherm/contract/back-test.ts'
import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatTime } from '../../../lib/times.ts'
import { happenedIn } from '../trigger-words.ts'
import classes from './alarms.module.css'
import { MonthCost } from './month-cost.tsx'

/** Kinds of firings that are listed, and firings of each. */
const shown = { kinds: 6, ofKind: 30 }

/** "Over the last 30 days this alarm would have fired 7 times, 42 SMS units", and each of the firings. */
export function BackTestPanel({ result, isAsking }: { result: BackTest; isAsking: boolean }) {
  const { t } = useTranslation('alarms')
  const { count, firings, smsUnits, chatUnits, mails } = result
  const kinds = [
    ...Map.groupBy(firings, ({ deviceId, condition, fence }) => `${deviceId} ${condition} ${fence}`).values(),
  ]
  const listed = kinds.slice(0, shown.kinds)
  const unlisted = count - listed.reduce((sum, kind) => sum + kind.length, 0)
  const figures = [
    ['fired', count],
    ['sms', smsUnits],
    ['chat', chatUnits],
    ['mails', mails],
  ] as const
  return (
    <>
      <p className={classes.summary} role="status">
        <Summary result={result} />
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
      {result.progress === 1 && <MonthCost result={result} />}
      {(isAsking || result.progress < 1) && result.cursor !== null && (
        <Progress value={Math.max(3, result.progress * 100)} aria-label={t('backTest.progress')} animated />
      )}
      {firings.length > 0 && (
        <ul className={classes.firings} aria-label={t('backTest.list')}>
          {listed.map((kind) => (
            <li key={`${kind[0]?.deviceId} ${kind[0]?.condition} ${kind[0]?.fence}`}>
              <Kind firings={kind} to={result.to} />
            </li>
          ))}
          {unlisted > 0 && <li>{t('backTest.more', { count: unlisted })}</li>}
        </ul>
      )}
    </>
  )
}

/** How often it would have fired; nothing at all where no device has a history to tell it by. */
function Summary({ result: { count, devices, short } }: { result: BackTest }) {
  const { t } = useTranslation('alarms')
  if (count === 0 && short === devices) return t('backTest.tooShort', { count: devices })
  return (
    <>
      {t('backTest.sentence', { count, times: formatNumber(count) })} {t('backTest.devices', { count: devices })}
      {short > 0 && ` ${t('backTest.someShort', { count: short })}`}
    </>
  )
}

/** Firings of one condition at one device, which read alike: the newest, and the others when they are asked for. */
function Kind({ firings: [newest, ...others], to }: { firings: readonly BackTestFiring[]; to: string }) {
  const { t } = useTranslation('alarms')
  return (
    <>
      {newest && <Firing firing={newest} to={to} />}
      {others.length > 0 && (
        <details>
          <summary>{t('backTest.alike', { count: others.length })}</summary>
          <ul className={classes.firings}>
            {others.slice(0, shown.ofKind).map((firing) => (
              <li key={firing.openedAt}>
                <Firing firing={firing} to={to} />
              </li>
            ))}
            {others.length > shown.ofKind && <li>{t('backTest.more', { count: others.length - shown.ofKind })}</li>}
          </ul>
        </details>
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
