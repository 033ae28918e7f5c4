import { cumulativeWindows } from '@isotherm/contract/alarm-rules.ts'
import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import type { LimitName, ValueFields } from '../alarm-values.ts'
import classes from './form.module.css'
import type { PartProps } from './form-props.ts'
import { AmountField, FieldErrors, Sentence } from './sentence.tsx'

const measures = [
  { name: 'temperature', unit: '°C', min: 'temperatureMinC', max: 'temperatureMaxC', decimals: 2 },
  { name: 'humidity', unit: '%', min: 'humidityMinPct', max: 'humidityMaxPct', decimals: 1 },
  { name: 'battery', unit: '%', min: 'batteryMinPct', max: 'batteryMaxPct', decimals: 0 },
] as const satisfies { name: string; unit: string; min: LimitName; max: LimitName; decimals: number }[]

/** The limits, how long a value must be outside, and when all is well again. */
export function ValueSentences({ values, change, errors }: PartProps) {
  const { t } = useTranslation('alarms')
  const { value, counting } = values
  const isTotal = counting !== 'row'
  const shown = isTotal ? measures.filter(({ name }) => name !== 'battery') : measures
  const field = (name: keyof ValueFields, unit: string, decimals: number) => (
    <AmountField
      label={t(`form.amounts.${name}`)}
      unit={unit}
      decimals={decimals}
      allowNegative={unit === '°C' && name !== 'deadbandC'}
      value={value[name]}
      onChange={(next) => change({ value: { ...value, [name]: next } })}
      path={`rule.${name}`}
      error={errors[`rule.${name}`]}
    />
  )
  const has = (...names: LimitName[]) => names.some((name) => value[name] !== '')
  const hasPercent = has('humidityMinPct', 'humidityMaxPct') || (!isTotal && has('batteryMinPct', 'batteryMaxPct'))
  const hasDegrees = has('temperatureMinC', 'temperatureMaxC')
  const back = hasDegrees && hasPercent ? 'both' : hasPercent ? 'percent' : 'degrees'
  return (
    <>
      {shown.map(({ name, unit, min, max, decimals }) => (
        <div key={name} className={classes.limits}>
          <Sentence
            text={t(`form.sentences.${name}`)}
            fields={{ min: field(min, unit, decimals), max: field(max, unit, decimals) }}
          />
          <FieldErrors errors={errors} paths={[`rule.${min}`, `rule.${max}`]} />
        </div>
      ))}
      <Text size="xs" c="dimmed">
        {t('form.emptyLimit')}
      </Text>
      <div>
        <Sentence
          text={t(isTotal ? 'form.sentences.inTotal' : 'form.sentences.lasting')}
          fields={{
            delay: field('delayMinutes', t('units.min'), 0),
            minutes: <TotalField values={values} change={change} errors={errors} />,
            counting: <CountingField values={values} change={change} errors={errors} />,
          }}
        />
        <FieldErrors errors={errors} paths={['rule.delayMinutes', 'rule.cumulative.minutes', 'rule.cumulative']} />
        {isTotal && (
          <Text size="xs" c="dimmed" mt={4}>
            {t(`form.totalHelp.${counting}`)}
          </Text>
        )}
      </div>
      <div>
        <Sentence
          text={t(`form.sentences.back.${back}`)}
          fields={{ degrees: field('deadbandC', '°C', 2), percent: field('deadbandPct', '%', 1) }}
        />
        <FieldErrors errors={errors} paths={['rule.deadbandC', 'rule.deadbandPct', 'rule']} />
        <BackText value={value} />
      </div>
    </>
  )
}

const countings = ['row', ...cumulativeWindows] as const

function CountingField({ values, change }: PartProps) {
  const { t } = useTranslation('alarms')
  return (
    <Select
      size="sm"
      aria-label={t('form.counting')}
      allowDeselect={false}
      w={310}
      maw="100%"
      data={countings.map((value) => ({ value, label: t(`form.countings.${value}`) }))}
      value={values.counting}
      onChange={(value) => value && change({ counting: value })}
      data-path="rule.cumulative"
    />
  )
}

function TotalField({ values, change, errors }: PartProps) {
  const { t } = useTranslation('alarms')
  return (
    <AmountField
      label={t('form.amounts.totalMinutes')}
      unit={t('units.min')}
      value={values.totalMinutes}
      onChange={(totalMinutes) => change({ totalMinutes })}
      path="rule.cumulative.minutes"
      error={errors['rule.cumulative.minutes']}
    />
  )
}

/** "Normal again at 7.5 °C": what the distance means in degrees. */
function BackText({ value }: { value: ValueFields }) {
  const { t } = useTranslation('alarms')
  const band = value.deadbandC || 0
  const [min, max] = [value.temperatureMinC, value.temperatureMaxC]
  if (band === 0 || (min === '' && max === '')) return null
  const side = min !== '' && max !== '' ? 'both' : min !== '' ? 'min' : 'max'
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {t(`form.backAt.${side}`, {
        min: formatTemperature(Number(min) + band),
        max: formatTemperature(Number(max) - band),
      })}
    </Text>
  )
}
