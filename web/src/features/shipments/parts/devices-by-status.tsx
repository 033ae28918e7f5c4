import { type DevicesByStatus as Grouped, shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentAttention, ShipmentState } from '@isotherm/contract/shipments.ts'
import { Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { AnchorLink } from '../../../ui/links.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { Unbroken } from '../../../ui/unbroken.tsx'

interface DevicesByStatusProps {
  search: string | undefined
  filter: ShipmentState | undefined
  attention: ShipmentAttention | undefined
  /** The word for a status, as the screens of devices have it. */
  nameOf: (status: string) => string
}

/** The devices of the shipments that are shown, by status, each once; behind each count the devices with their shipments. */
export function DevicesByStatus({ search, filter, attention, nameOf }: DevicesByStatusProps) {
  const { t } = useTranslation('shipments')
  const query = { ...(search && { search }), ...(filter && { filter }), ...(attention && { attention }) }
  const answer = useCall(shipments.devicesByStatus, { query }, { keepPrevious: true, refetchMs: 60_000 })
  const { data, error, refetch } = answer
  return (
    <Panel title={t('byStatus.title')} text={data && t('byStatus.total', { count: data.total })}>
      {!data && (error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton height={80} />)}
      <Renewing isOld={answer.isPlaceholderData}>
        {data?.total === 0 && <Text size="sm">{t('byStatus.none')}</Text>}
        {data?.byStatus.map(({ status, count, devices }) => (
          <OfStatus key={status} heading={named(nameOf(status), formatNumber(count))} devices={devices} />
        ))}
        {data && data.hidden > 0 && <p className={frames.note}>{t('hidden', { count: data.hidden })}</p>}
      </Renewing>
    </Panel>
  )
}

/** Thousands of devices are nothing to the page until somebody wants to see them. */
function OfStatus({ heading, devices }: { heading: string; devices: Grouped['byStatus'][number]['devices'] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{heading}</summary>
      {isOpen && (
        <ul>
          {devices.map(({ id, name, shipments: on }) => (
            <li key={id}>
              {name}
              {on.map((one) => (
                <span key={one.id}>
                  {' · '}
                  <AnchorLink to="/export/dispatch/shipment/$shipmentId" params={{ shipmentId: one.id }}>
                    <Unbroken text={one.number} />
                  </AnchorLink>
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
