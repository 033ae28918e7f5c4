import { anAlarm, aTrigger, buildWallet } from './alarm-factory.ts'
import { aCard, aCardPage } from './card-factory.ts'
import { aDevice } from './device-factory.ts'
import { aContact, aDriver, aPartner, aVehicle } from './dispatch-factory.ts'
import { aCalibration, aPlaceOfShipments } from './export-factory.ts'
import { aLoginSession, aPasskey } from './factor-factory.ts'
import { buildUser } from './factories.ts'
import { buildGroup } from './group-factory.ts'
import type { TestApp } from './harness.ts'
import { anInsurance } from './insurance-factory.ts'
import { aKey } from './key-factory.ts'
import { aHandOver, anOrder, anOrderTemplate, anOrderWarning } from './order-factory.ts'
import { anInvoice, aPayment } from './payment-factory.ts'
import { buildGeofence, buildPoint } from './place-factory.ts'
import { aPlan, aSubscription, aTransfer } from './plan-factory.ts'
import { buildAttachment, buildGroupRecord, buildNote, buildRecord } from './record-factory.ts'
import { buildClaim, buildGroupReport, buildRecordReport, buildReport } from './report-factory.ts'
import { aHandOverNote, anOverride, aRota } from './rota-factory.ts'
import { buildSavedView } from './saved-view-factory.ts'
import { buildScheduledReport } from './scheduled-report-factory.ts'
import { buildSession } from './session-factory.ts'
import { buildShareLink } from './share-link-factory.ts'
import { anEpcisPush, aShipmentLink } from './shipment-extras-factory.ts'
import { aShipmentDocument, aShipmentReport } from './shipment-factory.ts'
import { anSsoDomain } from './sso-factory.ts'
import { aMonitoringRecord, aTreatedShipment } from './treatment-factory.ts'
import { anUpload } from './upload-factory.ts'
import { anEndpoint, aWebhookDelivery } from './webhook-factory.ts'

const anySubscription: Make = async (test, company) => aSubscription(test, company, await aPlan(test))

/** `id`: the one made for `:id` of the same path before. `userId`: whose it is, where only some people of a company may see it. */
type Make = (
  test: TestApp,
  company: { companyId: number; id?: string; userId?: string },
) => Promise<{ id: string | number }>

/**
 * How to make one of what a path's id means, by the segment before it: `/users/:id`. The tenancy tests ask another
 * company's id of every call, so a call on a new kind of thing needs one line here; where the segment means two things, the
 * two before it.
 */
export const resources: Record<string, Make> = {
  users: (test, company) => buildUser(test, { company, role: 'staff' }),
  'auth/sessions': aLoginSession,
  'auth/passkeys': aPasskey,
  devices: aDevice,
  'device-reports': buildReport,
  'group-reports': buildGroupReport,
  report: buildScheduledReport,
  'device-sessions': buildSession,
  geofence: buildGeofence,
  'point-of-interests': buildPoint,
  alarms: (test, company) => anAlarm(test, company),
  'alarms/geofence': (test, company) =>
    anAlarm(test, company, { rule: { kind: 'fence', direction: 'in', geofenceIds: ['7'] } }),
  groups: buildGroup,
  'group/temperature': buildGroup,
  'group/humidity': buildGroup,
  'group/devices': buildGroup,
  groupStats: buildGroup,
  grouprecords: buildGroup,
  gammagrouprecord: buildGroup,
  'gammagrouprecord/:id': buildGroupRecord,
  gammarecordstats: buildGroup,
  'gammarecordstats/:id': buildGroupRecord,
  gammarecordchart: buildGroup,
  'gammarecordchart/:id': buildGroupRecord,
  recordlocations: buildGroup,
  'recordlocations/:id': buildGroupRecord,
  'enterprise/record': buildRecord,
  'record/start': (test, company) => buildRecord(test, { ...company, state: 'planned' }),
  'record/end': buildRecord,
  'record-notes': buildNote,
  'record-reports': buildRecordReport,
  'record-attachments': buildAttachment,
  wallet: buildWallet,
  payments: aPayment,
  transfers: aTransfer,
  cards: aCard,
  'card-pages': aCardPage,
  'enterprise/billings': anInvoice,
  'enterprise/subscriptions': anySubscription,
  'subscription/cancel': anySubscription,
  cancelDeviceSubscription: aDevice,
  keepDeviceSubscription: aDevice,
  'developer/keys': aKey,
  'saved-views': buildSavedView,
  'device-share-links': buildShareLink('device'),
  'group-share-links': buildShareLink('group'),
  'wall-screens': buildShareLink('wall'),
  'alarm-triggers': (test, company) => aTrigger(test, company),
  rotas: (test, company) => aRota(test, company),
  overrides: anOverride,
  'on-call/notes': aHandOverNote,
  'dispatch/orders': anOrder,
  // Those of the order that stands before them in the path.
  receivers: async (test, { companyId, id }) => ({
    id: (await aHandOver(test, { companyId, orderId: id })).receiverId,
  }),
  handovers: aHandOver,
  'order-templates': anOrderTemplate,
  start: anOrder,
  completion: anOrder,
  'handover-files': async (test, company) => ({ id: (await aHandOver(test, company)).photoId }),
  contacts: aContact,
  drivers: aDriver,
  vehicles: aVehicle,
  partners: aPartner,
  origins: (test, company) => aPlaceOfShipments(test, company, 'origin'),
  destinations: (test, company) => aPlaceOfShipments(test, company, 'destination'),
  calibrations: aCalibration,
  'dispatch/insurances': anInsurance,
  'dispatch/claims': buildClaim,
  'dispatch/warnings': anOrderWarning,
  'export/monitoring-records': aMonitoringRecord,
  'export/shipments': async (test, company) => {
    const probes = await Promise.all([1, 2, 3].map(() => aDevice(test, company)))
    return aTreatedShipment(test, { ...company, probes: probes.map(({ id }) => Number(id)), protocolId: 'us-t107-a' })
  },
  'export/shipment-documents': aShipmentDocument,
  'export/shipment-reports': aShipmentReport,
  'export/shipment-uploads': anUpload,
  'dispatch/order-uploads': (test, company) => anUpload(test, { ...company, kind: 'orders' }),
  trackDispatch: anOrder,
  'shipment-links': aShipmentLink,
  'epcis-pushes': anEpcisPush,
  trackDispatchDevice: anOrder,
  'developer/webhooks': anEndpoint,
  'developer/deliveries': aWebhookDelivery,
  'sso/domains': anSsoDomain,
  'sso/people': (test, company) => buildUser(test, { company, role: 'staff' }),
}
