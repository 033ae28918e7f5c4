import { type ScenarioKind, scenarioMinutes } from '@isotherm/contract/sandbox-clock.ts'
import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../lib/times.ts'
import classes from './scenarios.module.css'

/** The devices that scenarios are about, by the texts of their names. */
const deviceOf = {
  doorOpen: 'devices:sample.name',
  powerCut: 'devices:sample.name',
  freezerFails: 'devices:sample.freezer',
  vanRoute: 'devices:sample.van',
} as const satisfies Record<ScenarioKind, string>
const kinds = ['doorOpen', 'powerCut', 'freezerFails', 'vanRoute'] as const

interface ScenariosProps {
  isBusy: boolean
  /** Minutes that the clock can be wound still. */
  left: number
  play: (kind: ScenarioKind) => void
}

/** What can be made to happen, with what it does, each by a button. */
export function Scenarios({ isBusy, left, play }: ScenariosProps) {
  const { t } = useTranslation(['sandbox', 'devices'])
  const takes = (kind: ScenarioKind) =>
    t('scenarios.takes', { device: t(deviceOf[kind]), span: formatDuration(scenarioMinutes[kind] * 60_000) })
  return (
    <>
      <h3 className={classes.title}>{t('scenarios.title')}</h3>
      <Text size="sm" c="dimmed" mb={4}>
        {t('scenarios.lead')}
      </Text>
      <ul className={classes.list}>
        {kinds.map((kind) => (
          <li key={kind} className={classes.one}>
            <div>
              <Text size="sm" fw={600}>
                {t(`scenarios.${kind}`)}
              </Text>
              <Text size="sm">{t(`scenarios.${kind}Text`)}</Text>
              <Text size="xs" c="dimmed">
                {takes(kind)}
              </Text>
            </div>
            <Button
              variant="default"
              disabled={isBusy || left < scenarioMinutes[kind]}
              onClick={() => play(kind)}
              aria-label={t('scenarios.playNamed', { name: t(`scenarios.${kind}`) })}
            >
              {t('scenarios.play')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
