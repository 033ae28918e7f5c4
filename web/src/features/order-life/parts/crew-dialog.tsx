import { type CrewChoice, OrderCrew, orderLife } from '@isotherm/contract/order-life.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { MultiSelect, NativeSelect, Select, Text, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatPercent } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { type EntityForm, useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'
import { showOrder } from '../refetch-order.ts'

interface CrewValues {
  driverId: string | null
  vehicleId: string | null
  /** `use`: "vehicle", or the receiver for whom a box is; empty for all. */
  devices: { id: string; name: string; use: string }[]
  reason: string
}
type Kind = 'driver' | 'vehicle' | 'device'

const valuesOf = ({ driver, vehicle, devices }: OrderDetails): CrewValues => ({
  ...{ driverId: driver?.id ?? null, vehicleId: vehicle?.id ?? null, reason: '' },
  devices: devices.map(({ id, name, role, receiverId }) => ({
    ...{ id, name, use: role === 'vehicle' ? 'vehicle' : (receiverId ?? '') },
  })),
})

/** The body of what was chosen; an empty choice is nobody. */
export const crewBody = (version: number, { driverId, vehicleId, devices, reason }: CrewValues) => ({
  ...{ version, driverId: driverId || null, vehicleId: vehicleId || null },
  ...(reason.trim() && { reason: reason.trim() }),
  devices: devices.map(({ id, use }) => ({
    ...{ id, role: use === 'vehicle' ? ('vehicle' as const) : ('cargo' as const) },
    receiverId: use === 'vehicle' ? null : use || null,
  })),
})

/** Gives an order that is not over another driver or vehicle, or other devices. Who has one that is not free stands beside it. */
export function CrewDialog({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const { t } = useTranslation('orderLife')
  const [first] = useState(() => valuesOf(order))
  const form = useEntityForm({
    initialValues: first,
    schema: OrderCrew,
    toBody: (values) => crewBody(order.version, values),
    save: (body) => call(orderLife.crew, { params: { id: order.id }, body }, { toastAll: true }),
    onSaved: (saved) => {
      toastSuccess(t('crew.done'))
      showOrder(saved)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('crew.title', { code: order.trackingCode })}
      form={form}
      submitLabel={t('crew.save')}
      onClose={onClose}
    >
      {order.state === 'inProgress' && <Text size="sm">{t('crew.underWay')}</Text>}
      <CrewSelect form={form} order={order} kind="driver" />
      <CrewSelect form={form} order={order} kind="vehicle" />
      <CrewDevices form={form} order={order} />
      {order.hiddenDevices > 0 && (
        <Text size="sm" c="dimmed">
          {t('hidden', { count: order.hiddenDevices })}
        </Text>
      )}
      <Textarea label={t('crew.reason')} autosize maxLength={500} {...form.fields.getInputProps('reason')} />
    </FormDialog>
  )
}

interface FieldProps {
  form: EntityForm<CrewValues>
  order: OrderDetails
}

/** The choices of a kind by what is typed, those that cannot be taken marked. */
function useChoices(order: OrderDetails, kind: Kind, { driverId, vehicleId }: CrewValues) {
  const { t } = useTranslation('orderLife')
  const { search, field } = useTypedSearch()
  // The label of a chosen one stands in its field: it is not searched for.
  const offered = useRef(new Set(kind === 'device' ? [] : [order[kind]?.name ?? '']))
  const wanted = offered.current.has(search) ? undefined : search || undefined
  const answer = useCall(
    orderLife.crewChoices,
    { params: { id: order.id }, query: { kind, search: wanted } },
    { keepPrevious: true, staleTimeMs: 0 },
  )
  const isFree = ({ taken }: CrewChoice) =>
    taken === null || (taken.freeWith !== null && [driverId, vehicleId].includes(taken.freeWith))
  // Before the start somebody who is busy now is no fault: it is judged as the order starts.
  const isBarred = (choice: CrewChoice) =>
    !isFree(choice) &&
    (order.state === 'inProgress' || choice.taken?.why === 'inactive' || choice.taken?.why === 'outOfService')
  const saying = ({ taken }: CrewChoice) =>
    taken && t(`crew.taken.${taken.why}`, { name: taken.name ?? '', code: taken.trackingCode ?? '–' })
  const options = (answer.data ?? []).map((choice) => ({
    ...{ value: choice.id, disabled: isBarred(choice) },
    label: [
      choice.name,
      choice.plate,
      choice.batteryPct === null ? null : formatPercent(choice.batteryPct),
      isFree(choice) ? null : saying(choice),
    ]
      .filter(Boolean)
      .join(' · '),
  }))
  for (const { label } of options) offered.current.add(label)
  return { options, choices: answer.data ?? [], field }
}

/** Options with the chosen ones, of which the search may have left some out. */
const withChosen = <Option extends { value: string }>(
  options: Option[],
  chosen: { value: string; label: string }[],
) => [...chosen.filter(({ value }) => !options.some((option) => option.value === value)), ...options]

function CrewSelect({ form, order, kind }: FieldProps & { kind: 'driver' | 'vehicle' }) {
  const { t } = useTranslation('orderLife')
  const values = form.fields.getValues()
  const { options, field } = useChoices(order, kind, values)
  const now = order[kind]
  return (
    <Select
      label={t(`facts.${kind}`)}
      placeholder={t('crew.nobody')}
      clearable={order.state === 'new'}
      allowDeselect={order.state === 'new'}
      nothingFoundMessage={t('common:form.nothingFound')}
      data={withChosen(options, now ? [{ value: now.id, label: now.name }] : [])}
      {...form.fields.getInputProps(`${kind}Id`)}
      {...field}
    />
  )
}

function CrewDevices({ form, order }: FieldProps) {
  const { t } = useTranslation('orderLife')
  const values = form.fields.getValues()
  const { devices } = values
  const { options, choices, field } = useChoices(order, 'device', values)
  const uses = [
    { value: '', label: t('crew.use.cargo') },
    ...order.receiverList.map(({ id, party }) => ({ value: id, label: t('crew.use.for', { name: party.name }) })),
    { value: 'vehicle', label: t('crew.use.vehicle') },
  ]
  const nameOf = (id: string) => devices.find((device) => device.id === id)?.name
  const chosen = (id: string) => {
    const choice = choices.find((one) => one.id === id)
    // A device that goes with other orders of the vehicle goes with the vehicle.
    return { id, name: choice?.name ?? id, use: choice?.taken?.freeWith ? 'vehicle' : '' }
  }
  return (
    <>
      <MultiSelect
        label={t('facts.devices')}
        nothingFoundMessage={t('common:form.nothingFound')}
        // A chosen one has its name alone: a chip with more is too wide for a phone.
        data={withChosen(
          options.map((option) => ({ ...option, label: nameOf(option.value) ?? option.label })),
          devices.map(({ id, name }) => ({ value: id, label: name })),
        )}
        value={devices.map(({ id }) => id)}
        error={form.fields.errors.devices}
        onChange={(ids) =>
          form.fields.setFieldValue(
            'devices',
            ids.map((id) => devices.find((device) => device.id === id) ?? chosen(id)),
          )
        }
        {...field}
      />
      {devices.map(({ id, name }, index) => (
        <NativeSelect
          key={id}
          label={t('crew.use.label', { name })}
          data={uses}
          {...form.fields.getInputProps(`devices.${index}.use`)}
        />
      ))}
    </>
  )
}
