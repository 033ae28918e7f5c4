import { shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Button, Text, Textarea } from '@mantine/core'
import { IconBan, IconCheck, IconPencil, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { named } from '../../../lib/named.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { ButtonLink } from '../../../ui/links.tsx'
import { showShipment } from '../refetch-shipment.ts'

const states = { start: 'ongoing', complete: 'completed', cancel: 'cancelled' } as const
const told = { start: 'act.started', complete: 'act.completed', cancel: 'act.cancelled' } as const
type Act = keyof typeof states

/** The next act of a shipment as its one big button; changing and cancelling it. */
export function ShipmentActs({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const mayAct = useCan('dispatch.addOrEdit')
  const [asked, setAsked] = useState<Act>()
  if (!mayAct || shipment.state === 'completed' || shipment.state === 'cancelled') return null
  const next = shipment.state === 'pending' ? 'start' : 'complete'
  const Icon = next === 'start' ? IconPlayerPlay : IconCheck
  return (
    <>
      <ButtonLink
        to="/export/dispatch/add-shipment"
        search={{ edit: shipment.id }}
        variant="default"
        leftSection={<IconPencil size={16} />}
      >
        {t('act.edit')}
      </ButtonLink>
      <Button variant="default" leftSection={<IconBan size={16} />} onClick={() => setAsked('cancel')}>
        {t('act.cancel')}
      </Button>
      <Button leftSection={<Icon size={18} />} onClick={() => setAsked(next)}>
        {t(`act.${next}`)}
      </Button>
      {asked && <ActDialog shipment={shipment} act={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function ActDialog({ shipment, act, onClose }: { shipment: ShipmentDetails; act: Act; onClose: () => void }) {
  const { t } = useTranslation('shipments')
  const form = useEntityForm({
    initialValues: { reason: '' },
    required: act === 'cancel' && shipment.state === 'ongoing' ? ['reason'] : [],
    toBody: ({ reason }) => ({ state: states[act], ...(reason.trim() && { reason }) }),
    save: (body) => call(shipments.change, { params: { id: shipment.id }, body }, { toastAll: true }),
    onSaved: (saved) => {
      toastSuccess(t(told[act]))
      showShipment(saved)
      onClose()
    },
  })
  return (
    <FormDialog
      title={named(t(`act.${act}`), shipment.number)}
      form={form}
      submitLabel={t(`act.${act}`)}
      cancels={act === 'cancel'}
      onClose={onClose}
    >
      <Text size="sm">{t(`act.${act}Text`)}</Text>
      {act === 'cancel' && (
        <Textarea
          label={t('fields.reason')}
          data-autofocus
          autosize
          minRows={2}
          maxLength={500}
          {...form.fields.getInputProps('reason')}
        />
      )}
    </FormDialog>
  )
}
