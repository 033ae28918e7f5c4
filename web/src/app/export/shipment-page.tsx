import { shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ColdTreatment } from '../../features/cold-treatments/parts/cold-treatment.tsx'
import { TreatmentSummary } from '../../features/cold-treatments/parts/treatment-summary.tsx'
import { ShipmentEpcis } from '../../features/epcis/parts/shipment-epcis.tsx'
import { BudgetOutlook } from '../../features/shipment-evidence/parts/budget-outlook.tsx'
import { ShipmentClaims } from '../../features/shipment-evidence/parts/shipment-claims.tsx'
import { ShipmentCustody } from '../../features/shipment-evidence/parts/shipment-custody.tsx'
import { ShipmentLinks } from '../../features/shipment-links/parts/shipment-links.tsx'
import { ContainerPlan } from '../../features/shipments/parts/container-plan.tsx'
import { Journey } from '../../features/shipments/parts/journey.tsx'
import { LeftBehind } from '../../features/shipments/parts/left-behind.tsx'
import { PpecbLoadingForm } from '../../features/shipments/parts/ppecb-loading.tsx'
import { ReportButton } from '../../features/shipments/parts/report-button.tsx'
import { ShipmentActs } from '../../features/shipments/parts/shipment-acts.tsx'
import { ShipmentConditions } from '../../features/shipments/parts/shipment-conditions.tsx'
import { ShipmentDevices } from '../../features/shipments/parts/shipment-devices.tsx'
import { ShipmentDocuments } from '../../features/shipments/parts/shipment-documents.tsx'
import { ShipmentEvents } from '../../features/shipments/parts/shipment-events.tsx'
import { ShipmentFacts } from '../../features/shipments/parts/shipment-facts.tsx'
import { ShipmentProducts } from '../../features/shipments/parts/shipment-products.tsx'
import { useCan } from '../../lib/can.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { useEntity } from '../../lib/use-entity.ts'
import { EntityPage } from '../../ui/entity-page.tsx'
import frames from '../../ui/frames.module.css'
import { Sideways } from '../../ui/sideways.tsx'

/** A part that asks for what it shows by itself. */
const byId =
  (Part: (props: { shipmentId: string }) => ReactNode) =>
  ({ shipment }: { shipment: ShipmentDetails }) => <Part shipmentId={shipment.id} />

/** The line of legs, and below it the cold treatment and the places of the devices. */
const Way = ({ shipment }: { shipment: ShipmentDetails }) => {
  const { t } = useTranslation('shipments')
  const { change } = useUrlSearch()
  const more = (
    <Button size="compact-sm" variant="subtle" onClick={() => change({ tab: 'treatment' })}>
      {t('journey.details')}
    </Button>
  )
  return (
    <>
      <Journey shipment={shipment} />
      <TreatmentSummary shipmentId={shipment.id} more={more} />
      <ContainerPlan shipment={shipment} />
    </>
  )
}

const Conditions = ({ shipment }: { shipment: ShipmentDetails }) => (
  <>
    <BudgetOutlook shipment={shipment} />
    <ShipmentConditions shipment={shipment} />
    <ShipmentCustody shipment={shipment} />
    <ShipmentClaims shipment={shipment} />
  </>
)

const Links = ({ shipment: { id, state } }: { shipment: ShipmentDetails }) => (
  <ShipmentLinks shipmentId={id} isCancelled={state === 'cancelled'} />
)

const tabs = {
  journey: { label: 'journey.title', Part: Way },
  conditions: { label: 'conditions.title', Part: Conditions },
  devices: { label: 'fields.devices', Part: ShipmentDevices },
  treatment: { label: 'coldTreatments:title', Part: byId(ColdTreatment) },
  documents: { label: 'documents.title', Part: ShipmentDocuments },
  events: { label: 'events.title', Part: ShipmentEvents },
  ppecb: { label: 'ppecb.title', Part: PpecbLoadingForm },
  epcis: { label: 'epcis:title', Part: byId(ShipmentEpcis) },
  links: { label: 'shipmentLinks:title', Part: Links },
} as const
const allNames = Object.keys(tabs) as (keyof typeof tabs)[]

/** One shipment: its facts, and below them the part that the address names. */
export function ShipmentPage() {
  const { t } = useTranslation('shipments')
  const answer = useEntity(shipments.one, { id: 'shipmentId' })
  const { search, change } = useUrlSearch()
  const mayEdit = useCan('dispatch.addOrEdit')
  const names = allNames.filter((name) => name !== 'links' || mayEdit)
  const open = names.find((name) => name === search.tab) ?? 'journey'
  const { Part } = tabs[open]
  return (
    <EntityPage
      answer={answer}
      title={answer.entity?.number ?? t('one')}
      breadcrumb={<Link to="/export/dispatch">{t('title')}</Link>}
      actions={(shipment) => (
        <>
          <ReportButton shipment={shipment} label={t('report.action')} />
          <ShipmentActs shipment={shipment} />
        </>
      )}
    >
      {(shipment) => (
        <div className={frames.stack}>
          <LeftBehind shipment={shipment} />
          <ShipmentFacts shipment={shipment} />
          <ShipmentProducts shipment={shipment} />
          <Sideways label={t('tabsLabel')}>
            <SegmentedControl
              aria-label={t('tabsLabel')}
              data={names.map((value) => ({ value, label: t(tabs[value].label) }))}
              value={open}
              onChange={(value) => change({ tab: value === 'journey' ? undefined : value })}
            />
          </Sideways>
          <Part key={`${open} ${shipment.id}`} shipment={shipment} />
        </div>
      )}
    </EntityPage>
  )
}
