import { MultiSelect, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PartProps, Places } from './form-props.ts'
import { AmountField, FieldErrors, Sentence } from './sentence.tsx'

/** Which places, entered or left, and for how long. */
export function FenceSentence({ values, change, errors, places }: PartProps & { places: Places }) {
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
