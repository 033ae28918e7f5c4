import { shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Skeleton, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { ConditionCells, ConditionHeads } from '../../../shared/export/condition-cells.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import { nameOfLeg } from '../journey-line.ts'
import { useProductTexts } from '../use-product-texts.ts'

/** The measurements of the devices of a shipment: from the start to the end, and during each leg. */
export function ShipmentConditions({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const { range } = useProductTexts()
  const { data, error, refetch } = useCall(shipments.conditions, { params: { id: shipment.id } }, { refetchMs: 60_000 })
  const nameOf = (legId: string | null) => {
    const leg = shipment.legs.find(({ id }) => id === legId)
    return leg ? nameOfLeg(leg, t(`mode.${leg.mode}`)) : t('conditions.whole')
  }
  const wider = shipment.devices.filter(({ hasWiderLimits }) => hasWiderLimits)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={200} />
  if (data.length === 0 || shipment.devices.length === 0)
    return (
      <Panel title={t('conditions.title')}>
        <Text size="sm">{t(data.length === 0 ? 'conditions.before' : 'conditions.none')}</Text>
      </Panel>
    )
  return (
    <>
      {data.map(({ legId, from, to, devices }) => (
        <Panel key={legId ?? 'whole'} title={nameOf(legId)} text={`${formatTime(from)} – ${formatTime(to)}`}>
          <Sideways label={`${t('conditions.title')}, ${nameOf(legId)}`}>
            <Table aria-label={nameOf(legId)}>
              <Table.Thead>
                <Table.Tr>
                  <ConditionHeads />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {devices.map((device) => (
                  <Table.Tr key={device.id}>
                    <ConditionCells device={device} />
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Sideways>
        </Panel>
      ))}
      {wider.length > 0 && (
        <p className={frames.note}>
          {t('widerLimits', {
            range: range({ minC: shipment.carryingMinC, maxC: shipment.carryingMaxC }),
            names: wider.map(({ name }) => name).join(', '),
          })}
        </p>
      )}
    </>
  )
}
