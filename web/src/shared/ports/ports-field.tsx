import { type Port, ports } from '@isotherm/contract/ports.ts'
import { CloseButton, Combobox, Input, Loader, Pill, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAnchor, IconPlane } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countryName } from '../../lib/country-name.ts'
import { named } from '../../lib/named.ts'
import { useCall } from '../../lib/query.ts'
import classes from './ports.module.css'

export interface ChosenPort extends Pick<Port, 'type' | 'code' | 'name' | 'country'> {
  isClosed?: boolean
}

interface PortSearchProps {
  label: string
  /** Only those of a kind. */
  type?: Port['type']
  onFound: (port: Port) => void
}

const waitMs = 250
const keyOf = ({ type, code }: Pick<Port, 'type' | 'code'>) => `${type} ${code}`

const PortIcon = ({ type }: Pick<Port, 'type'>) => {
  const Icon = type === 'sea' ? IconAnchor : IconPlane
  return <Icon size={14} aria-hidden="true" />
}

/** Finds ports and airports by name, code, alias or country; choosing one calls `onFound`. */
export function PortSearch({ label, type, onFound }: PortSearchProps) {
  const { t } = useTranslation('ports')
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), waitMs)
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const isAsked = asked.length > 1
  const query = { search: asked, ...(type && { type }) }
  const answer = useCall(ports.list, { query }, { enabled: isAsked, keepPrevious: true })
  const found = isAsked ? (answer.data ?? []) : []
  const isNothing = isAsked && answer.data !== undefined && !answer.isPlaceholderData && found.length === 0
  return (
    <Combobox
      store={box}
      withinPortal
      onOptionSubmit={(key) => {
        const port = found.find((each) => keyOf(each) === key)
        if (!port) return
        setText('')
        box.closeDropdown()
        onFound(port)
      }}
    >
      <Combobox.Target>
        <TextInput
          type="search"
          aria-label={label}
          placeholder={t('search')}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            box.openDropdown()
          }}
          onKeyDown={(event) => {
            // Enter chooses, and does not send the form around it.
            if (event.key === 'Enter') event.preventDefault()
          }}
          onFocus={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
          rightSection={answer.isFetching ? <Loader size={14} aria-label={t('searching')} /> : null}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={found.length === 0 && !isNothing}>
        <Combobox.Options aria-label={label} className={classes.options}>
          {found.map((port) => (
            <Combobox.Option key={keyOf(port)} value={keyOf(port)}>
              <span className={classes.option}>
                <PortIcon type={port.type} />
                <span>
                  {port.name} <span className={classes.code}>{port.code}</span>
                </span>
                <span className={classes.country}>{countryName(port.country)}</span>
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {isNothing && (
          <p className={classes.nothing} role="status">
            {t('nothing')}
          </p>
        )}
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface PortsFieldProps {
  label: string
  error?: string
  value: readonly ChosenPort[]
  onChange: (value: ChosenPort[]) => void
}

/** Several ports and airports, each by its code. */
export function PortsField({ label, error, value, onChange }: PortsFieldProps) {
  const { t } = useTranslation('ports')
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      {value.length > 0 && (
        <Pill.Group mb="xs">
          {value.map((port) => (
            <Pill
              key={keyOf(port)}
              size="md"
              classNames={{ label: classes.pill }}
              withRemoveButton
              removeButtonProps={{
                'aria-label': t('remove', { name: port.name }),
                'aria-hidden': false,
                tabIndex: 0,
              }}
              onRemove={() => onChange(value.filter((each) => keyOf(each) !== keyOf(port)))}
            >
              <PortName port={port} />
            </Pill>
          ))}
        </Pill.Group>
      )}
      <PortSearch
        label={label}
        onFound={(port) => !value.some((each) => keyOf(each) === keyOf(port)) && onChange([...value, port])}
      />
    </Input.Wrapper>
  )
}

interface PortFieldProps {
  label: string
  error?: ReactNode
  type: Port['type']
  /** Null: none is chosen. */
  value: (Pick<Port, 'code'> & { name: string }) | null
  onChange: (port: Pick<Port, 'code' | 'name'> | null) => void
}

/** One port or airport: it is searched for, or stands there until it is taken away. */
export function PortField({ label, error, type, value, onChange }: PortFieldProps) {
  const { t } = useTranslation('ports')
  if (!value)
    return (
      <Input.Wrapper label={label} labelElement="div" error={error}>
        <PortSearch label={label} type={type} onFound={onChange} />
      </Input.Wrapper>
    )
  const name = value.name || value.code
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <div className={classes.chosen}>
        <span className={classes.name}>
          <PortIcon type={type} /> {value.name} <span className={classes.code}>{value.code}</span>
        </span>
        <CloseButton size="sm" aria-label={named(label, t('remove', { name }))} onClick={() => onChange(null)} />
      </div>
    </Input.Wrapper>
  )
}

/** "Durban ZADUR", with the kind for those who do not see its mark. */
export function PortName({ port }: { port: ChosenPort }) {
  const { t } = useTranslation('ports')
  const kind = t(`types.${port.type}`)
  return (
    <span className={classes.name} title={`${kind} ${port.code}`}>
      <PortIcon type={port.type} /> {port.name} <span className={classes.code}>{port.code}</span>
      {port.isClosed && ` (${t('closed')})`}
    </span>
  )
}
