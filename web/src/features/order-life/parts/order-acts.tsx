import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { Button } from '@mantine/core'
import { IconBan, IconPencil, IconPlayerPlay, IconPlayerStop, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { FormOf } from '../../../ui/form/form-of.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { CrewDialog } from './crew-dialog.tsx'
import { EndDialog } from './end-dialog.tsx'
import { StartDialog } from './start-dialog.tsx'

type ActOfOrder = 'start' | 'end' | 'cancel' | 'crew'

/** The next act of an order as its one big button; beside it changing it, another crew, and cancelling it. */
export function OrderActs({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderLife')
  const mayAct = useCan('dispatch.addOrEdit')
  const [asked, setAsked] = useState<ActOfOrder>()
  if (!mayAct || order.state === 'completed' || order.state === 'cancelled') return null
  const next = order.state === 'new' ? 'start' : 'end'
  const Icon = next === 'start' ? IconPlayerPlay : IconPlayerStop
  const onClose = () => setAsked(undefined)
  return (
    <>
      {order.state === 'new' && (
        <ButtonLink
          to="/dispatch/add-dispatch"
          search={{ edit: order.id }}
          variant="default"
          leftSection={<IconPencil size={16} />}
        >
          {t('edit')}
        </ButtonLink>
      )}
      <Button variant="default" leftSection={<IconBan size={16} />} onClick={() => setAsked('cancel')}>
        {t('cancel.action')}
      </Button>
      <Button variant="default" leftSection={<IconUsers size={16} />} onClick={() => setAsked('crew')}>
        {t('crew.action')}
      </Button>
      <Button size="md" leftSection={<Icon size={18} />} onClick={() => setAsked(next)}>
        {t(`${next}.action`)}
      </Button>
      {asked === 'start' && <StartDialog order={order} onClose={onClose} />}
      {asked === 'end' && <EndDialog order={order} onClose={onClose} />}
      {asked === 'crew' && (
        <FormOf thing={order} version={order.version}>
          {(held) => <CrewDialog order={held} onClose={onClose} />}
        </FormOf>
      )}
      {asked === 'cancel' && <CancelDialog order={order} onClose={onClose} />}
    </>
  )
}
