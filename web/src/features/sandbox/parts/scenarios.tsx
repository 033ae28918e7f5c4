import { type ScenarioKind, scenarioMinutes } from '@isotherm/contract/sandbox-clock.ts'
import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../lib/times.ts'
import classes from './scenarios.module.css'

const kinds = ['doorOpen', 'powerCut', 'freezerFails', 'vanRoute'] as const

interface ScenariosProps {
  isBusy: boolean
  /** Minutes that the clock can be wound still. */
  left: number
  play: (kind: ScenarioKind) => void
}

/** The scenarios, each with its effect and a button. */
export function Scenarios({ isBusy, left, play }: ScenariosProps) {
  const { t } = useTranslation('sandbox')
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
                {t(`scenarioNames.${kind}`)}
              </Text>
              <Text size="sm">{t(`scenarioTexts.${kind}`)}</Text>
              <Text size="xs" c="dimmed">
                {t('scenarios.takes', { span: formatDuration(scenarioMinutes[kind] * 60_000) })}
              </Text>
            </div>
            <Button
              variant="default"
              disabled={isBusy || left < scenarioMinutes[kind]}
              onClick={() => play(kind)}
              aria-label={t('scenarios.playNamed', { name: t(`scenarioNames.${kind}`) })}
            >
              {t('scenarios.play')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
