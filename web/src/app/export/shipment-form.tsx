import { partners } from '@isotherm/contract/partners.ts'
import { NewShipment, ShipmentChange, shipments } from '@isotherm/contract/shipment-calls.ts'
import { destinations, origins } from '@isotherm/contract/shipment-places.ts'
import { incoterms, Logistics, type ShipmentDetails, shipmentLimits } from '@isotherm/contract/shipments.ts'
import {
  Alert,
  Box,
  Button,
  NativeSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DeviceFields } from '../../features/shipments/parts/device-fields.tsx'
import { LegFields } from '../../features/shipments/parts/leg-fields.tsx'
import { ProductFields } from '../../features/shipments/parts/product-fields.tsx'
import { RegimeField } from '../../features/shipments/parts/regime-field.tsx'
import { showShipment } from '../../features/shipments/refetch-shipment.ts'
import {
  betterTerm,
  bodyOf,
  emptyLeg,
  firstFreePlace,
  isSettled,
  leavesBeforeLoading,
  type ShipmentValues,
} from '../../features/shipments/shipment-values.ts'
import { call } from '../../lib/call.ts'
import { countries } from '../../lib/country-and-zone-choices.ts'
import { countryName } from '../../lib/country-name.ts'
import { useCall } from '../../lib/query.ts'
import { useRequestKey } from '../../lib/request-keys.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { BudgetFields } from '../../shared/budget/budget-fields.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { addPart } from '../../ui/form/add-part.ts'
import { EntityForm } from '../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import { Panel } from '../../ui/panel.tsx'
import { useFoundChoice } from '../../ui/use-found-choice.ts'

interface ShipmentFormProps {
  start: ShipmentValues
  /** The shipment that changes; null: a new one. */
  shipment: ShipmentDetails | null
  /** The ends that `start` has, by their names. */
  ends: NamedEnds | null
  onSaved: (shipment: ShipmentDetails) => void
}

/** So many places or firms are offered at once; more are found by what is typed. */
const perPage = 50

/** A shipment to be made or changed: its ends, its goods, a leg first and more when asked, and its devices. */
export function ShipmentForm({ start, shipment, ends, onSaved }: ShipmentFormProps) {
  const { t } = useTranslation('shipments')
  const isUnderWay = shipment?.state === 'ongoing'
  const keyOf = useRequestKey()
  const form = useEntityForm({
    initialValues: start,
    schema: NewShipment,
    // The record of a shipment under way has its budget.
    toBody: (typed) => ({ ...bodyOf(typed), ...(isUnderWay && { budget: undefined }) }),
    save: (body) =>
      shipment
        ? call(shipments.change, {
            params: { id: shipment.id },
            body: ShipmentChange.parse({ ...body, version: shipment.version }),
          })
        : call(shipments.add, { body }, { key: keyOf(body) }),
    onSaved: (saved) => {
      toastSuccess(t(shipment ? 'form.changed' : 'form.created', { number: saved.number }))
      showShipment(saved)
      onSaved(saved)
    },
  })
  const { fields } = form
  const values = fields.getValues()
  const better = betterTerm(values)
  const text = (name: keyof ShipmentValues & string, max: number) => (
    <TextInput label={t(`fields.${name}` as 'fields.lot')} maxLength={max} {...fields.getInputProps(name)} />
  )
  const number = (name: 'pallets' | 'grossWeightKg' | 'setPointC') => (
    <NumberInput label={t(`fields.${name}`)} {...fields.getInputProps(name)} />
  )
  const free = firstFreePlace(values.legs)
  return (
    <EntityForm form={form} submitLabel={t(shipment ? 'form.save' : 'form.create')} label={t('add')} wide>
      <Ends form={form} shipment={shipment} ends={ends} />
      <Panel title={t('form.goods')}>
        <ProductFields fields={fields} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="md">
          {text('reference', 80)}
          {text('trackingNumber', 80)}
          {number('pallets')}
          {number('grossWeightKg')}
          <NativeSelect
            label={t('fields.incoterm')}
            data={[{ value: '', label: t('form.none') }, ...incoterms]}
            {...fields.getInputProps('incoterm')}
          />
          {text('incotermPlace', 120)}
        </SimpleGrid>
        {better && (
          <Text size="sm" c="dimmed" mt="xs">
            {t('form.betterIncoterm', { term: values.incoterm, better })}
          </Text>
        )}
      </Panel>
      {values.legs.map((leg, index) => (
        <LegFields
          key={leg.key}
          fields={fields}
          index={index}
          leg={leg}
          acts={{
            insert:
              values.legs.length < shipmentLimits.legs &&
              index >= free &&
              (() => fields.insertListItem('legs', emptyLeg(leg.mode), index)),
            up:
              index > free && !isSettled(leg) && (() => fields.reorderListItem('legs', { from: index, to: index - 1 })),
            down:
              index < values.legs.length - 1 &&
              index >= free &&
              !isSettled(leg) &&
              (() => fields.reorderListItem('legs', { from: index, to: index + 1 })),
            remove: values.legs.length > 1 && !isSettled(leg) && (() => fields.removeListItem('legs', index)),
          }}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={values.legs.length >= shipmentLimits.legs}
        onClick={(event) => addPart(event, () => fields.insertListItem('legs', emptyLeg(values.legs.at(-1)?.mode)))}
      >
        {t('form.addLeg')}
      </Button>
      <Panel title={t('fields.devices')}>
        <DeviceFields fields={fields} shipment={shipment} />
      </Panel>
      <Panel title={t('form.temperature')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {number('setPointC')}
          <RegimeField fields={fields} />
          <DateField label={t('fields.loadingOn')} {...fields.getInputProps('loadingOn')} />
          <DateField label={t('fields.departureOn')} {...fields.getInputProps('departureOn')} />
          {text('lot', 60)}
        </SimpleGrid>
        {leavesBeforeLoading(values) && (
          <Text size="sm" c="dimmed" mt="xs">
            {t('form.beforeLoading')}
          </Text>
        )}
        {!isUnderWay && (
          <Box mt="md">
            <BudgetFields
              values={values.budget}
              onChange={(budget) => fields.setFieldValue('budget', budget)}
              errors={fields.errors}
            />
          </Box>
        )}
        <Textarea
          mt="md"
          label={t('fields.note')}
          autosize
          minRows={2}
          maxLength={4000}
          {...fields.getInputProps('note')}
        />
      </Panel>
    </EntityForm>
  )
}

interface NamedEnds {
  origin: NamedPlace | null
  destination: NamedPlace | null
}
type NamedPlace = { id: string; name: string; country: string }

interface EndsProps {
  form: { fields: ReturnType<typeof useEntityForm<ShipmentValues, object, unknown>>['fields'] }
  shipment: ShipmentDetails | null
  ends: NamedEnds | null
}

const placeChoice = ({ id, name, country }: NamedPlace) => ({
  ...{ value: id, label: `${name} · ${countryName(country)}` },
})
const firmChoice = ({ id, companyName }: { id: string; companyName: string }) => ({ value: id, label: companyName })

function Ends({ form: { fields }, shipment, ends }: EndsProps) {
  const { t } = useTranslation('shipments')
  // Under way the ends stay.
  const isFixed = shipment?.state === 'ongoing'
  const origin = useFoundChoice(ends?.origin ? placeChoice(ends.origin) : null)
  const destination = useFoundChoice(ends?.destination ? placeChoice(ends.destination) : null)
  const partner = useFoundChoice(shipment?.partner ? firmChoice(shipment.partner) : null)
  const asked = ({ search }: typeof origin) => ({ query: { perPage, search } })
  const from = useCall(origins.list, asked(origin), { keepPrevious: true })
  const to = useCall(destinations.list, asked(destination), { keepPrevious: true })
  const firms = useCall(partners.list, asked(partner), { keepPrevious: true })
  const isEmpty =
    (origin.search === undefined && from.data?.meta.total === 0) ||
    (destination.search === undefined && to.data?.meta.total === 0)
  const { originId, destinationId, partnerId } = fields.getValues()
  return (
    <Panel title={t('form.ends')}>
      <Stack gap="sm">
        {isEmpty && <Alert color="yellow">{t('form.noPlaces')}</Alert>}
        <NativeSelect
          label={t('fields.logistics')}
          data={Logistics.options.map((value) => ({ value, label: t(`logistics.${value}`) }))}
          {...fields.getInputProps('logistics')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            disabled={isFixed}
            label={t('fields.origin')}
            {...fields.getInputProps('originId')}
            {...origin.propsOf((from.data?.data ?? []).map(placeChoice), originId, (id) =>
              fields.setFieldValue('originId', id),
            )}
          />
          <Select
            disabled={isFixed}
            label={t('fields.destination')}
            {...fields.getInputProps('destinationId')}
            {...destination.propsOf((to.data?.data ?? []).map(placeChoice), destinationId, (id) =>
              fields.setFieldValue('destinationId', id),
            )}
          />
          <Select
            clearable
            label={t('fields.partner')}
            placeholder={t('form.none')}
            {...fields.getInputProps('partnerId')}
            {...partner.propsOf((firms.data?.data ?? []).map(firmChoice), partnerId, (id) =>
              fields.setFieldValue('partnerId', id),
            )}
          />
          <Select
            clearable
            searchable
            label={t('fields.country')}
            placeholder={t('form.none')}
            data={countries()}
            {...fields.getInputProps('country')}
            value={fields.getValues().country || null}
            onChange={(code) => fields.setFieldValue('country', code ?? '')}
          />
          <TextInput label={t('fields.region')} maxLength={80} {...fields.getInputProps('region')} />
          <TextInput label={t('fields.personOfContact')} maxLength={120} {...fields.getInputProps('personOfContact')} />
        </SimpleGrid>
      </Stack>
    </Panel>
  )
}
