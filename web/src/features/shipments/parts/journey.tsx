import type { ShipmentDetails, ShipmentEvent, ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { Button } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import { milestonesByLeg } from '../journey-line.ts'
import classes from './journey.module.css'
import { JourneyLeg } from './journey-leg.tsx'
import { MilestoneDialog } from './milestone-dialog.tsx'
import { RollDialog } from './roll-dialog.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'

/** The way of a shipment as a line of legs: what has occurred above it, what is planned and estimated below. */
export function Journey({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const mayAct = useCan('dispatch.addOrEdit') && shipment.state !== 'cancelled'
  const isOver = shipment.state === 'completed'
  const [noted, setNoted] = useState<{ corrects?: ShipmentEvent } | null>(null)
  const [withdrawn, setWithdrawn] = useState<ShipmentEvent | null>(null)
  const [rolled, setRolled] = useState<ShipmentLeg | null>(null)
  const { legs } = shipment
  const milestones = milestonesByLeg(legs, shipment.events)
  return (
    <Panel title={t('journey.title')}>
      <Sideways label={t('journey.line')}>
        <ol className={classes.line}>
          {legs.map((leg, index) => (
            <JourneyLeg
              key={leg.id}
              leg={leg}
              next={legs[index + 1]}
              milestones={milestones.get(leg.id) ?? []}
              onCorrect={mayAct ? (event) => setNoted({ corrects: event }) : undefined}
              onWithdraw={mayAct ? setWithdrawn : undefined}
              onRoll={mayAct && !isOver && leg.atd === null && leg.rolledAt === null ? () => setRolled(leg) : undefined}
            />
          ))}
        </ol>
      </Sideways>
      {mayAct && (
        <Button mt="sm" variant="default" leftSection={<IconFlag size={16} />} onClick={() => setNoted({})}>
          {t('journey.milestone')}
        </Button>
      )}
      {noted && <MilestoneDialog shipment={shipment} corrects={noted.corrects} onClose={() => setNoted(null)} />}
      {withdrawn && <WithdrawDialog shipment={shipment} event={withdrawn} onClose={() => setWithdrawn(null)} />}
      {rolled && <RollDialog shipment={shipment} leg={rolled} onClose={() => setRolled(null)} />}
    </Panel>
  )
}
