import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { FormOf } from '../../../ui/form/form-of.tsx'
import { CrewDialog } from './crew-dialog.tsx'

/** Opens the crew of an order that is not over, beside the name of its driver: that is where people look for it. */
export function CrewPencil({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderLife')
  const mayAct = useCan('dispatch.addOrEdit')
  const [isOpen, setOpen] = useState(false)
  if (!mayAct || order.state === 'completed' || order.state === 'cancelled') return null
  return (
    <>
      <ActionIcon
        size={24}
        variant="subtle"
        color="gray"
        aria-label={t('crew.driver')}
        title={t('crew.driver')}
        onClick={() => setOpen(true)}
      >
        <IconPencil size={16} />
      </ActionIcon>
      {isOpen && (
        <FormOf thing={order} version={order.version}>
          {(held) => <CrewDialog order={held} onClose={() => setOpen(false)} />}
        </FormOf>
      )}
    </>
  )
}
