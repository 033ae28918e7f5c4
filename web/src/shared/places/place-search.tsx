import { type FoundPlace, places } from '@isotherm/contract/places.ts'
import { CloseButton, Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconMapSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countryName } from '../../lib/country-name.ts'
import { useCall } from '../../lib/query.ts'
import classes from './places.module.css'

const waitMs = 250

/** The town near it and the country: there is more than one San Juan. */
const whereOf = ({ near, country }: FoundPlace) => [near, country && countryName(country)].filter(Boolean).join(', ')

interface PlaceSearchProps {
  onFound: (place: FoundPlace) => void
  /** As wide as what it stands in. */
  isWide?: boolean
}

/** Finds towns and addresses; choosing one calls `onFound`, which flies there. */
export function PlaceSearch({ onFound, isWide = false }: PlaceSearchProps) {
  const { t } = useTranslation('places')
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text.trim(), waitMs)
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const answer = useCall(places.geocode, { query: { q: wanted } }, { enabled: wanted.length > 1, keepPrevious: true })
  const found = wanted.length > 1 ? (answer.data?.places ?? []) : []
  // Enter takes the first: once it is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is the same
  useEffect(() => {
    if (answer.data) box.selectFirstOption()
  }, [answer.data])
  const message = wanted.length > 1 && !answer.isPlaceholderData ? answer.data?.message : null
  return (
    <Combobox
      store={box}
      withinPortal
      onOptionSubmit={(index) => {
        const place = found[Number(index)]
        if (!place) return
        setText(place.name)
        box.closeDropdown()
        onFound(place)
      }}
    >
      <Combobox.Target>
        <TextInput
          className={isWide ? undefined : classes.search}
          size="sm"
          type="search"
          aria-label={t('search.label')}
          placeholder={t('search.short')}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            box.openDropdown()
          }}
          onFocus={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
          leftSection={<IconMapSearch size={16} aria-hidden="true" />}
          rightSection={
            answer.isFetching ? (
              <Loader size={14} />
            ) : (
              text && <CloseButton size="sm" aria-label={t('common:actions.clear')} onClick={() => setText('')} />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={found.length === 0 && !message}>
        <Combobox.Options aria-label={t('search.results')}>
          {found.map((place, i) => (
            <Combobox.Option key={`${place.name} ${place.lat} ${place.lon}`} value={String(i)}>
              <span className={classes.option}>
                <span>{place.name}</span>
                <span>{whereOf(place)}</span>
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {message && found.length === 0 && (
          <p className={classes.nothing} role="status">
            {message}
          </p>
        )}
      </Combobox.Dropdown>
    </Combobox>
  )
}
