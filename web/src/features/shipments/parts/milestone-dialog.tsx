import { GivenMilestone, shipments } from '@isotherm/contract/shipment-calls.ts'
import {
  isAtLegEnd,
  MilestoneKind,
  milestoneKinds,
  type ShipmentDetails,
  type ShipmentEvent,
} from '@isotherm/contract/shipments.ts'
import { localTimeOf } from '@isotherm/contract/zone-times.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { type ChangeEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { named } from '../../../lib/named.ts'
import { useRequestKey } from '../../../lib/request-keys.ts'
import { zoneNameAt } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { nameOfLeg } from '../journey-line.ts'
import { showShipment } from '../refetch-shipment.ts'

interface MilestoneDialogProps {
  shipment: ShipmentDetails
  /** The milestone whose place the new one takes. */
  corrects?: ShipmentEvent | undefined
  onClose: () => void
}

/** Notes an event of a leg or of the whole shipment, by the clock of the place. */
export function MilestoneDialog({ shipment, corrects, onClose }: MilestoneDialogProps) {
  const { t } = useTranslation('shipments')
  const legs = shipment.legs.filter(({ rolledAt }) => rolledAt === null)
  const current = legs.find(({ ata }) => ata === null) ?? legs.at(-1)
  const zoneOf = ({ kind, legId }: { kind: string; legId: string }): string => {
    const leg = legs.find(({ id }) => id === legId)
    const isEnd = isAtLegEnd(kind, Boolean(leg?.atd))
    return (isEnd ? leg?.toZone : leg?.fromZone) ?? (isEnd ? shipment.destination : shipment.origin).timezone
  }
  const first = {
    kind: corrects?.kind ?? (current?.atd ? 'arrived' : 'departed'),
    legId: corrects ? (corrects.legId ?? '') : (current?.id ?? ''),
  }
  const [opened] = useState(() => Date.now())
  const shown = localTimeOf(corrects?.occurredAt ?? opened, corrects?.timezone ?? zoneOf(first))
  const keyOf = useRequestKey()
  const form = useEntityForm({
    initialValues: {
      ...first,
      at: shown,
      placeName: corrects?.placeName ?? '',
    },
    schema: GivenMilestone,
    toBody: (values) => ({
      ...{ kind: MilestoneKind.parse(values.kind), legId: values.legId || null },
      // Its second, which nobody is shown, stays where another thing is corrected.
      at: corrects && values.at === shown ? corrects.occurredAt : values.at,
      ...{ timezone: zoneOf(values), placeName: values.placeName.trim() || null, corrects: corrects?.id ?? null },
    }),
    save: (body) =>
      call(shipments.milestone, { params: { id: shipment.id }, body }, { toastAll: true, key: keyOf(body) }),
    onSaved: (saved) => {
      toastSuccess(t('journey.noted'))
      showShipment(saved)
      onClose()
    },
  })
  const { fields } = form
  const values = fields.getValues()
  // The time that was filled in stays now, by the clock of the place that is chosen.
  const choose = (name: 'kind' | 'legId') => ({
    ...fields.getInputProps(name),
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLSelectElement>) => {
      fields.setFieldValue(name, value)
      if (values.at === localTimeOf(opened, zoneOf(values)))
        fields.setFieldValue('at', localTimeOf(opened, zoneOf({ ...values, [name]: value })))
    },
  })
  return (
    <FormDialog
      title={corrects ? named(t('journey.correct'), t(`event.${corrects.kind}`)) : t('journey.milestone')}
      form={form}
      submitLabel={t(corrects ? 'journey.correct' : 'journey.milestone')}
      onClose={onClose}
    >
      <NativeSelect
        label={t('journey.kind')}
        disabled={corrects !== undefined}
        data={milestoneKinds.map((value) => ({ value, label: t(`event.${value}`) }))}
        {...choose('kind')}
      />
      <NativeSelect
        label={t('journey.legOf')}
        disabled={corrects !== undefined}
        data={[
          { value: '', label: t('journey.whole') },
          ...legs.map((leg) => ({
            value: leg.id,
            label: nameOfLeg(leg, t(`mode.${leg.mode}`)),
          })),
        ]}
        {...choose('legId')}
      />
      <DateField
        withTime
        label={t('journey.at', { zone: zoneNameAt(values.at, zoneOf(values)) })}
        {...fields.getInputProps('at')}
      />
      <TextInput label={t('place.label')} maxLength={120} {...fields.getInputProps('placeName')} />
    </FormDialog>
  )
}
