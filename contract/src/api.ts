import { alarms } from './alarms.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { billing } from './billing.ts'
import { orderUploads, shipmentUploads } from './bulk-uploads.ts'
import { calibrations } from './calibrations.ts'
import type { Calls } from './call.ts'
import { cards } from './cards.ts'
import { coldTreatments } from './cold-treatments.ts'
import { company } from './company.ts'
import { contacts } from './contacts.ts'
import { dashboard } from './dashboard.ts'
import { developer } from './developer.ts'
import { deviceLife } from './device-life.ts'
import { deviceReports } from './device-reports.ts'
import { devices } from './devices.ts'
import { dispatchSettings } from './dispatch-settings.ts'
import { drivers } from './drivers.ts'
import { epcis } from './epcis.ts'
import { excursions } from './excursions.ts'
import { exportSettings } from './export-settings.ts'
import { groupRecords } from './group-records.ts'
import { groupReports } from './group-reports.ts'
import { groups } from './groups.ts'
import { insurances } from './insurances.ts'
import { live } from './live.ts'
import { notifications } from './notifications.ts'
import { onCall } from './on-call.ts'
import { orders } from './order-calls.ts'
import { orderEvidence } from './order-evidence.ts'
import { orderLife } from './order-life.ts'
import { orderLinks } from './order-links.ts'
import { orderTemplates } from './order-templates.ts'
import { orderTracking } from './order-tracking.ts'
import { orderWarnings } from './order-warnings.ts'
import { partners } from './partners.ts'
import { places } from './places.ts'
import { plans } from './plans.ts'
import { ports } from './ports.ts'
import { proofs } from './proofs.ts'
import { readingsExport } from './readings-export.ts'
import { records } from './records.ts'
import { reports } from './reports.ts'
import { sandbox } from './sandbox.ts'
import { sandboxClock } from './sandbox-clock.ts'
import { savedViews } from './saved-views.ts'
import { security } from './security.ts'
import { sessions } from './sessions.ts'
import { shareLinks } from './share-links.ts'
import { shipments } from './shipment-calls.ts'
import { shipmentEvidence } from './shipment-evidence.ts'
import { shipmentLinks } from './shipment-links.ts'
import { destinations, origins } from './shipment-places.ts'
import { sso } from './sso.ts'
import { stats } from './stats.ts'
import { subscription } from './subscription.ts'
import { support } from './support.ts'
import { triage } from './triage.ts'
import { users } from './users.ts'
import { vehicles } from './vehicles.ts'
import { wallet } from './wallet.ts'
import { webhooks } from './webhooks.ts'

/** Every call there is, by feature: OpenAPI and the test matrix are made from it. */
export const api = {
  auth,
  billing,
  cards,
  company,
  developer,
  sandbox,
  sandboxClock,
  users,
  security,
  devices,
  deviceLife,
  deviceReports,
  savedViews,
  sessions,
  sso,
  excursions,
  stats,
  dashboard,
  places,
  groups,
  proofs,
  readingsExport,
  records,
  groupRecords,
  groupReports,
  reports,
  alarms,
  triage,
  onCall,
  audit,
  notifications,
  wallet,
  subscription,
  support,
  plans,
  shareLinks,
  shipments,
  shipmentUploads,
  orderUploads,
  orders,
  insurances,
  orderEvidence,
  coldTreatments,
  orderTemplates,
  dispatchSettings,
  orderTracking,
  orderLinks,
  orderLife,
  orderWarnings,
  epcis,
  shipmentEvidence,
  shipmentLinks,
  contacts,
  drivers,
  vehicles,
  partners,
  ports,
  origins,
  destinations,
  exportSettings,
  calibrations,
  webhooks,
  live,
} satisfies Record<string, Calls>
