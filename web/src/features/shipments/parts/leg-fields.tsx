import { LegMode, legModes } from '@isotherm/contract/shipments.ts'
import { isSwapBody } from '@isotherm/contract/unit-numbers.ts'
import { ActionIcon, Checkbox, Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconArrowDown, IconArrowUp, IconRowInsertTop, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../../lib/times.ts'
import { PortField } from '../../../shared/ports/ports-field.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { fieldsOfMode, type LegValues, type ShipmentValues } from '../shipment-values.ts'
import { CarrierField } from './carrier-field.tsx'

const actIcons = {
  insert: IconRowInsertTop,
  up: IconArrowUp,
  down: IconArrowDown,
  remove: IconTrash,
} as const
type LegAct = keyof typeof actIcons

interface LegFieldsProps {
  fields: UseFormReturnType<ShipmentValues>
  index: number
  leg: LegValues
  /** The things that may be done with it: one that has departed stays at its place. */
  acts: Partial<Record<LegAct, (() => void) | false>>
}

/** A leg of the form: how it travels, from where to where, and when. */
export function LegFields({ fields, index, leg, acts }: LegFieldsProps) {
  const { t } = useTranslation('shipments')
  const path = `legs.${index}`
  const named = fieldsOfMode(leg.mode)
  const isUnchecked = (name: keyof typeof flagOf) =>
    named.includes(name) && (fields.errors[`${path}.${name}`] !== undefined || leg[flagOf[name]])
  const noteOf = (planned: string | null | undefined, zone: string | undefined) =>
    planned ? t('form.plannedFor', { time: formatTime(planned, zone) }) : t('form.localTime')
  return (
    <Panel title={t('form.leg', { number: index + 1 })}>
      <Group justify="space-between" align="end">
        <NativeSelect
          label={t('fields.mode')}
          data={legModes.map((value) => ({ value, label: t(`mode.${value}`) }))}
          {...fields.getInputProps(`${path}.mode`)}
          onChange={({ currentTarget }) => {
            fields.setFieldValue(`${path}.mode`, LegMode.parse(currentTarget.value))
            // A port is no airport.
            for (const end of ['from', 'to'] as const) {
              if (leg[`${end}Port`]) fields.setFieldValue(`${path}.${end}Name`, '')
              fields.setFieldValue(`${path}.${end}Port`, '')
            }
          }}
        />
        <Group gap="xs">
          {(Object.keys(actIcons) as LegAct[]).map((act) => {
            const [Icon, onClick] = [actIcons[act], acts[act]]
            return (
              onClick && (
                <ActionIcon
                  key={act}
                  variant="default"
                  size="lg"
                  title={t(`form.legAct.${act}`)}
                  aria-label={`${t(`form.legAct.${act}`)}: ${index + 1}`}
                  onClick={onClick}
                >
                  <Icon size={16} />
                </ActionIcon>
              )
            )
          })}
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm">
        <End fields={fields} path={path} leg={leg} end="from" />
        <End fields={fields} path={path} leg={leg} end="to" />
        <DateField
          withTime
          label={t('fields.etd')}
          description={noteOf(leg.stored?.plannedEtd, leg.stored?.fromZone)}
          {...fields.getInputProps(`${path}.etd`)}
        />
        <DateField
          withTime
          label={t('fields.eta')}
          description={noteOf(leg.stored?.plannedEta, leg.stored?.toZone)}
          {...fields.getInputProps(`${path}.eta`)}
        />
        <CarrierField fields={fields} path={path} leg={leg} />
        {named.filter(isTyped).map((name) => (
          <TextInput
            key={name}
            label={t(`fields.${name === 'sealNo' ? 'seal' : name}` as 'fields.voyage')}
            maxLength={120}
            {...fields.getInputProps(`${path}.${name}`)}
          />
        ))}
      </SimpleGrid>
      {named.includes('containerNo') && isSwapBody(leg.containerNo) && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('form.swapBody')}
        </Text>
      )}
      {(['imo', 'containerNo', 'awb'] as const).map(
        (name) =>
          isUnchecked(name) && (
            <Checkbox
              key={name}
              mt="sm"
              label={`${t(`fields.${name}`)}: ${t('form.unchecked')}`}
              {...fields.getInputProps(`${path}.${flagOf[name]}`, { type: 'checkbox' })}
            />
          ),
      )}
    </Panel>
  )
}

const isTyped = (name: string) => name !== 'carrierName'
const flagOf = { containerNo: 'containerUnchecked', awb: 'awbUnchecked', imo: 'imoUnchecked' } as const

/** An end of a leg: a port by search, by sea and air; else a place by name. */
function End({
  fields,
  path,
  leg,
  end,
}: Omit<LegFieldsProps, 'index' | 'acts'> & { path: string; end: 'from' | 'to' }) {
  const { t } = useTranslation('shipments')
  const [port, name] = [`${end}Port`, `${end}Name`] as ['fromPort', 'fromName']
  if (leg.mode === 'road' || leg.mode === 'rail')
    return <TextInput label={t(`fields.${name}`)} maxLength={120} {...fields.getInputProps(`${path}.${name}`)} />
  const kind = leg.mode === 'air' ? 'Airport' : 'Port'
  return (
    <PortField
      label={t(`fields.${end}${kind}` as 'fields.fromPort')}
      type={leg.mode}
      error={fields.errors[`${path}.${port}`]}
      value={leg[port] ? { code: leg[port], name: leg[name] } : null}
      onChange={(chosen) => {
        fields.setFieldValue(`${path}.${port}`, chosen?.code ?? '')
        fields.setFieldValue(`${path}.${name}`, chosen?.name ?? '')
        fields.clearFieldError(`${path}.${port}`)
      }}
    />
  )
}
