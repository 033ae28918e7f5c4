import type { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type { BackTestFiring } from '@isotherm/contract/back-test.ts'
import type { ChartPanel } from '../../charts/model.ts'
import type { ShownMeasures } from '../../shared/device-past/chart-panels.ts'

/** The measures a rule judges; the temperature where it judges none. */
export function measuresOf(rule: AlarmRule): ShownMeasures {
  if (rule.kind !== 'value') return { humidity: false, battery: false, light: false }
  const humidity = rule.humidityMinPct !== null || rule.humidityMaxPct !== null
  const battery = rule.batteryMinPct !== null || rule.batteryMaxPct !== null
  const temperature = rule.temperatureMinC !== null || rule.temperatureMaxC !== null || !(humidity || battery)
  return { temperature, humidity, battery, light: false }
}

function limitsIn(rule: AlarmRule, { measure }: ChartPanel): [min: number | null, max: number | null] {
  if (rule.kind !== 'value') return [null, null]
  if (measure === 'temperature') return [rule.temperatureMinC, rule.temperatureMaxC]
  if (measure === 'humidity') return [rule.humidityMinPct, rule.humidityMaxPct]
  return measure === 'battery' ? [rule.batteryMinPct, rule.batteryMaxPct] : [null, null]
}

/** The panel with the limits of an alarm instead of the device's; what would have fired is shaded. */
export function withRule(panel: ChartPanel, rule: AlarmRule, firings: readonly BackTestFiring[] = []): ChartPanel {
  const [min, max] = limitsIn(rule, panel)
  return {
    ...panel,
    limits: min === null && max === null ? [] : [{ from: 0, to: Number.MAX_SAFE_INTEGER, min, max }],
    excursions: firings
      .filter(({ condition }) => condition.startsWith(panel.measure))
      .map(({ breachAt, normalAt, condition }) => ({
        from: Date.parse(breachAt),
        to: normalAt ? Date.parse(normalAt) : null,
        side: condition.endsWith('Max') ? 'above' : 'below',
      })),
  }
}
