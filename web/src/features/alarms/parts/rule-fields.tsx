import { cumulativeWindows } from '@isotherm/contract/alarm-rules.ts'
import { MultiSelect, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import type { AlarmValues, LimitName, ValueFields } from '../alarm-values.ts'
import classes from './form.module.css'
import type { PartProps, Places } from './form-props.ts'
import { AmountField, FieldErrors, Sentence } from './sentence.tsx'

const kinds = ['value', 'fence', 'noData'] as const

/** "When does it fire": a sentence with fields. The kind of an alarm that is there stays. */
export function RuleFields(props: PartProps & { places: Places; fixedKind: boolean }) {
  const { t } = useTranslation('alarms')
  const { values, change, fixedKind } = props
  return (
    <Stack gap="sm">
      {!fixedKind && (
        <SegmentedControl
          className={classes.kinds}
          aria-label={t('form.kind')}
          value={values.kind}
          onChange={(kind) => change({ kind: kind as AlarmValues['kind'] })}
          data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
      )}
      {values.kind === 'value' && <ValueSentences {...props} />}
      {values.kind === 'fence' && <FenceSentence {...props} />}
      {values.kind === 'noData' && <NoDataSentence {...props} />}
    </Stack>
  )
}

const measures = [
  { name: 'temperature', unit: '°C', min: 'temperatureMinC', max: 'temperatureMaxC', decimals: 2 },
  { name: 'humidity', unit: '%', min: 'humidityMinPct', max: 'humidityMaxPct', decimals: 1 },
  { name: 'battery', unit: '%', min: 'batteryMinPct', max: 'batteryMaxPct', decimals: 0 },
] as const satisfies { name: string; unit: string; min: LimitName; max: LimitName; decimals: number }[]

function ValueSentences({ values, change, errors }: PartProps) {
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

function FenceSentence({ values, change, errors, places }: PartProps & { places: Places }) {
  const { t } = useTranslation('alarms')
  const { fence } = values
  const known = [
    {
      group: t('form.geofences'),
      items: places.geofences.map(({ id, name }) => ({ value: `g${id}`, label: name })),
    },
    {
      group: t('form.points'),
      items: places.points.map(({ id, name }) => ({ value: `p${id}`, label: name })),
    },
  ].filter(({ items }) => items.length > 0)
  const ids = new Set(known.flatMap(({ items }) => items.map(({ value }) => value)))
  const gone = fence.places.filter((place) => !ids.has(place))
  const data = [
    ...known,
    ...(gone.length > 0
      ? [{ group: t('form.deletedPlaces'), items: gone.map((value) => ({ value, label: t('form.deletedPlace') })) }]
      : []),
  ]
  return (
    <>
      <Sentence
        text={t('form.sentences.fence')}
        fields={{
          direction: (
            <Select
              size="sm"
              aria-label={t('form.direction')}
              allowDeselect={false}
              w={210}
              data={(['in', 'out', 'both'] as const).map((value) => ({ value, label: t(`form.directions.${value}`) }))}
              value={fence.direction}
              onChange={(value) => value && change({ fence: { ...fence, direction: value } })}
            />
          ),
        }}
      />
      <MultiSelect
        label={t('form.places')}
        placeholder={fence.places.length === 0 ? t('form.choosePlaces') : undefined}
        nothingFoundMessage={t('form.noPlaces')}
        searchable
        clearable
        hidePickedOptions
        clearButtonProps={{ 'aria-label': t('common:actions.clear') }}
        data={data}
        value={fence.places}
        onChange={(chosen) => change({ fence: { ...fence, places: chosen } })}
        error={errors['rule.geofenceIds'] ?? errors['rule.pointOfInterestIds']}
        data-path="rule.geofenceIds"
      />
      <div>
        <Sentence
          text={t('form.sentences.dwell')}
          fields={{
            dwell: (
              <AmountField
                label={t('form.amounts.dwellMinutes')}
                unit={t('units.min')}
                value={fence.dwellMinutes}
                onChange={(dwellMinutes) => change({ fence: { ...fence, dwellMinutes } })}
                path="rule.dwellMinutes"
                error={errors['rule.dwellMinutes']}
              />
            ),
          }}
        />
        <FieldErrors errors={errors} paths={['rule.dwellMinutes']} />
      </div>
    </>
  )
}

function NoDataSentence({ values, change, errors }: PartProps) {
  const { t } = useTranslation('alarms')
  return (
    <div>
      <Sentence
        text={t('form.sentences.noData')}
        fields={{
          after: (
            <AmountField
              label={t('form.amounts.afterMinutes')}
              unit={t('units.min')}
              value={values.afterMinutes}
              onChange={(afterMinutes) => change({ afterMinutes })}
              path="rule.afterMinutes"
              error={errors['rule.afterMinutes']}
            />
          ),
        }}
      />
      <FieldErrors errors={errors} paths={['rule.afterMinutes']} />
      <Text size="xs" c="dimmed" mt={4}>
        {t('form.noDataHelp')}
      </Text>
    </div>
  )
}
