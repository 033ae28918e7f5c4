import { maxPortGlns } from '@isotherm/contract/export-settings.ts'
import { type Port, ports } from '@isotherm/contract/ports.ts'
import { ActionIcon, Checkbox, Group, Paper, Select, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import frames from '../../../ui/frames.module.css'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'
import type { SettingsFields } from '../settings-values.ts'

/** The numbers of the ports that the company ships by: a port is searched for, then its number is typed. */
export function PortGlnRows({ fields, readOnly }: { fields: SettingsFields; readOnly: boolean }) {
  const { t } = useTranslation('exportSettings')
  const { getInputProps, values, errors } = fields
  const isThere = (type: string, code: string) =>
    values.portGlns.some((each) => each.type === type && each.code === code)
  return (
    <div className={frames.stack}>
      {values.portGlns.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('portGlns.none')}
        </Text>
      )}
      {values.portGlns.map((port, index) => (
        <Paper key={`${port.type} ${port.code}`} withBorder p="sm" role="group" aria-label={port.name}>
          <Group justify="space-between" wrap="nowrap" mb="xs">
            <Text size="sm">
              {port.name} {port.code}
            </Text>
            {!readOnly && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('portGlns.remove', { name: port.name })}
                onClick={() => fields.removeListItem('portGlns', index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
          <TextInput
            label={t('gs1.gln')}
            inputMode="numeric"
            maxLength={40}
            readOnly={readOnly}
            {...getInputProps(`portGlns.${index}.gln`)}
            error={errors[`portGlns.${index}.gln`] ?? errors[`portGlns.${index}.code`]}
          />
          {(errors[`portGlns.${index}.gln`] !== undefined || port.glnUnchecked) && (
            <Checkbox
              mt="xs"
              label={t('portGlns.unchecked')}
              disabled={readOnly}
              {...getInputProps(`portGlns.${index}.glnUnchecked`, { type: 'checkbox' })}
            />
          )}
        </Paper>
      ))}
      {!readOnly && values.portGlns.length < maxPortGlns && (
        <PortChoice
          label={t('portGlns.add')}
          onFound={({ type, code, name }) => {
            if (isThere(type, code)) return
            fields.insertListItem('portGlns', { type, code, name, gln: '', glnUnchecked: false })
          }}
        />
      )}
    </div>
  )
}

/** A port or an airport by name, code or country; choosing one calls `onFound`. */
function PortChoice({ label, onFound }: { label: string; onFound: (port: Port) => void }) {
  const { t } = useTranslation('ports')
  const { search, field } = useTypedSearch()
  const isSearched = search.length > 1
  const answer = useCall(ports.list, { query: { search } }, { enabled: isSearched, keepPrevious: true })
  const found = isSearched ? (answer.data ?? []) : []
  const keyOf = ({ type, code }: Port) => `${type} ${code}`
  return (
    <Select
      label={label}
      placeholder={t('search')}
      data={found.map((port) => ({ value: keyOf(port), label: `${port.name} ${port.code}` }))}
      value={null}
      nothingFoundMessage={isSearched && answer.data ? t('nothing') : undefined}
      onChange={(key) => {
        const port = found.find((each) => keyOf(each) === key)
        if (port) onFound(port)
      }}
      {...field}
    />
  )
}
