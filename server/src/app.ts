import { join } from 'node:path'
import { alarms } from '@isotherm/contract/alarms.ts'
import { audit } from '@isotherm/contract/audit.ts'
import { auth } from '@isotherm/contract/auth.ts'
import { billing } from '@isotherm/contract/billing.ts'
import { orderUploads, shipmentUploads } from '@isotherm/contract/bulk-uploads.ts'
import { calibrations } from '@isotherm/contract/calibrations.ts'
import { cards } from '@isotherm/contract/cards.ts'
import { coldTreatments } from '@isotherm/contract/cold-treatments.ts'
import { company } from '@isotherm/contract/company.ts'
import { contacts } from '@isotherm/contract/contacts.ts'
import { dashboard } from '@isotherm/contract/dashboard.ts'
import { developer } from '@isotherm/contract/developer.ts'
import { deviceLife } from '@isotherm/contract/device-life.ts'
import { deviceReports } from '@isotherm/contract/device-reports.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { dispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import { drivers } from '@isotherm/contract/drivers.ts'
import { epcis } from '@isotherm/contract/epcis.ts'
import { excursions } from '@isotherm/contract/excursions.ts'
import { exportSettings } from '@isotherm/contract/export-settings.ts'
import { groupRecords } from '@isotherm/contract/group-records.ts'
import { groupReports } from '@isotherm/contract/group-reports.ts'
import { groups } from '@isotherm/contract/groups.ts'
import { insurances } from '@isotherm/contract/insurances.ts'
import { notifications } from '@isotherm/contract/notifications.ts'
import { onCall } from '@isotherm/contract/on-call.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import { orderEvidence } from '@isotherm/contract/order-evidence.ts'
import { orderLife } from '@isotherm/contract/order-life.ts'
import { orderLinks } from '@isotherm/contract/order-links.ts'
import { orderTemplates } from '@isotherm/contract/order-templates.ts'
import { orderTracking } from '@isotherm/contract/order-tracking.ts'
import { orderWarnings } from '@isotherm/contract/order-warnings.ts'
import { partners } from '@isotherm/contract/partners.ts'
import { places } from '@isotherm/contract/places.ts'
import { plans } from '@isotherm/contract/plans.ts'
import { ports } from '@isotherm/contract/ports.ts'
import { proofs } from '@isotherm/contract/proofs.ts'
import { readingsExport } from '@isotherm/contract/readings-export.ts'
import { records } from '@isotherm/contract/records.ts'
import { reports } from '@isotherm/contract/reports.ts'
import { sandbox } from '@isotherm/contract/sandbox.ts'
import { sandboxClock } from '@isotherm/contract/sandbox-clock.ts'
import { savedViews } from '@isotherm/contract/saved-views.ts'
import { security } from '@isotherm/contract/security.ts'
import { sessions } from '@isotherm/contract/sessions.ts'
import { shareLinks } from '@isotherm/contract/share-links.ts'
import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { shipmentEvidence } from '@isotherm/contract/shipment-evidence.ts'
import { shipmentLinks } from '@isotherm/contract/shipment-links.ts'
import { destinations, origins } from '@isotherm/contract/shipment-places.ts'
import { sso } from '@isotherm/contract/sso.ts'
import { stats } from '@isotherm/contract/stats.ts'
import { subscription } from '@isotherm/contract/subscription.ts'
import { support } from '@isotherm/contract/support.ts'
import { triage } from '@isotherm/contract/triage.ts'
import { users } from '@isotherm/contract/users.ts'
import { vehicles } from '@isotherm/contract/vehicles.ts'
import { wallet } from '@isotherm/contract/wallet.ts'
import { chosenEvents } from '@isotherm/contract/webhook-events.ts'
import { webhooks } from '@isotherm/contract/webhooks.ts'
import type { FastifyInstance } from 'fastify'
import { askCardOfEvent } from './core/billing/card-pages.ts'
import { forgetCard } from './core/billing/forget-card.ts'
import { tellDesk } from './core/billing/tell-desk.ts'
import { tellOfDispute } from './core/billing/tell-of-dispute.ts'
import { billingMail } from './core/billing/tell-payers.ts'
import type { DeviceReader } from './core/devices/device-reader.ts'
import { deviceIdOf } from './core/devices/visible-devices.ts'
import { sweepOrphans } from './core/files/orphans.ts'
import { askInsurer, sweepInsurances, tellInsurerVoid } from './core/orders/ask-insurer.ts'
import { insuranceMail } from './core/orders/insurance-mail.ts'
import { lateMail } from './core/orders/late-mail.ts'
import { receiverMail } from './core/orders/receiver-mail.ts'
import { securityMail } from './core/people/security-mail.ts'
import { triggersDuring } from './features/alarms/during-queries.ts'
import { alarmsOnDashboard, openAlarmsOf } from './features/alarms/on-dashboard.ts'
import { alarmHandlers } from './features/alarms/routes.ts'
import { triageHandlers } from './features/alarms/triage-routes.ts'
import { triggersOf } from './features/alarms/triggers-of.ts'
import { postCheckpoints, signTrails } from './features/audit/jobs.ts'
import { auditHandlers } from './features/audit/routes.ts'
import { openBySso } from './features/auth/by-sso.ts'
import { alreadyRegistered, linkWanted, signInRefused } from './features/auth/jobs.ts'
import { presentLoginOrStep } from './features/auth/present.ts'
import { authHandlers } from './features/auth/routes.ts'
import { basemapRoutes } from './features/basemap/routes.ts'
import { disputeTold, refundTold, sweepDisputes } from './features/billing/event-jobs.ts'
import { askOfEvent, sweepPayments } from './features/billing/jobs.ts'
import { tellOfOtherPdf } from './features/billing/kept-pdf.ts'
import { reconcilePayments } from './features/billing/reconcile.ts'
import { sweepRefunds, tellOfRefund } from './features/billing/refund-jobs.ts'
import { renewSubscriptions, tellCardEnds, tellLicenceEnds, tellOfMaximum } from './features/billing/renew-job.ts'
import { billingHandlers } from './features/billing/routes.ts'
import { voidOwed } from './features/billing/void-owed.ts'
import { servePaymentEvents } from './features/billing/webhooks.ts'
import { readUploads } from './features/bulk-uploads/read-upload.ts'
import { beforeBulkUploads, bulkUploadHandlers } from './features/bulk-uploads/routes.ts'
import { tellCalibrations } from './features/calibrations/jobs.ts'
import { beforeCalibrations, calibrationHandlers } from './features/calibrations/routes.ts'
import { cardHandlers } from './features/cards/routes.ts'
import { sweepTreatments, tellTreatment } from './features/cold-treatments/jobs.ts'
import { monitoringRecordJobs } from './features/cold-treatments/records.ts'
import { coldTreatmentHandlers } from './features/cold-treatments/routes.ts'
import { beforeCompany, companyHandlers } from './features/company/routes.ts'
import { contactHandlers } from './features/contacts/routes.ts'
import { dashboardHandlers } from './features/dashboard/routes.ts'
import { noteKeyCalls } from './features/developer/call-log.ts'
import { keyEndMail, tellKeyEnds } from './features/developer/jobs.ts'
import { beforeDeveloper, developerHandlers } from './features/developer/routes.ts'
import { drawChart } from './features/device-history/draw-chart.ts'
import { drawPath } from './features/device-history/draw-path.ts'
import { headingOut } from './features/device-history/heading-out.ts'
import { readHistory } from './features/device-history/read-history.ts'
import { deviceHistoryHandlers } from './features/device-history/routes.ts'
import { withTimeToBreach } from './features/device-history/time-to-breach.ts'
import { deviceImportHandlers } from './features/device-import/routes.ts'
import { startFlights } from './features/device-life/jobs.ts'
import { deviceLifeHandlers } from './features/device-life/routes.ts'
import { deviceReportJobs } from './features/device-reports/jobs.ts'
import type { RecordReader } from './features/device-reports/record-reader.ts'
import { recordReports } from './features/device-reports/record-reports.ts'
import { deviceReportHandlers } from './features/device-reports/routes.ts'
import { changeDevices } from './features/devices/change-devices.ts'
import { claimDevices } from './features/devices/claim-devices.ts'
import { devicesByIds, devicesWithTrend, getDevice } from './features/devices/get-device.ts'
import { licencesOnDashboard } from './features/devices/licences-on-dashboard.ts'
import { devicesOnDashboard } from './features/devices/on-dashboard.ts'
import { deviceHandlers } from './features/devices/routes.ts'
import { giveLimits } from './features/devices/set-limits.ts'
import { driverHandlers } from './features/drivers/routes.ts'
import { deliverPush, sweepPushes } from './features/epcis/jobs.ts'
import { beforeEpcis, epcisHandlers } from './features/epcis/routes.ts'
import { excursionHandlers, excursionsOf } from './features/excursions/routes.ts'
import { exportSettingsHandlers } from './features/export-settings/routes.ts'
import { groupReportJobs } from './features/group-reports/jobs.ts'
import { groupReportHandlers } from './features/group-reports/routes.ts'
import { drawDevices } from './features/groups/chart.ts'
import { groupReader } from './features/groups/reader.ts'
import { groupHandlers } from './features/groups/routes.ts'
import { serveInsurerEvents } from './features/insurances/events.ts'
import { beforeInsurances, insuranceHandlers } from './features/insurances/routes.ts'
import { serveLive } from './features/live/routes.ts'
import { beforeNotifications, notificationHandlers } from './features/notifications/routes.ts'
import { onCallHandlers } from './features/on-call/routes.ts'
import { claimJobs } from './features/order-evidence/claims.ts'
import { orderEvidenceHandlers } from './features/order-evidence/routes.ts'
import { sweepFences, sweepLateFences, sweepSnoozes } from './features/order-life/jobs.ts'
import { orderLifeHandlers } from './features/order-life/routes.ts'
import { forgetDriverPositions } from './features/order-links/drive-positions.ts'
import { makeReceipt } from './features/order-links/receipt-job.ts'
import { mailReceipt } from './features/order-links/receipt-mail-job.ts'
import { beforeOrderLinks, orderLinkHandlers } from './features/order-links/routes.ts'
import { sweepHandOvers } from './features/order-links/sweep-hand-overs.ts'
import { estimateArrivals, watchOrderGoods } from './features/order-tracking/jobs.ts'
import { orderTrackingHandlers } from './features/order-tracking/routes.ts'
import { orderWarningsHandlers } from './features/order-warnings/routes.ts'
import { orderBulk } from './features/orders/bulk/kind.ts'
import { dispatchSettingsHandlers, orderHandlers, orderTemplateHandlers } from './features/orders/routes.ts'
import { partnerHandlers } from './features/partners/routes.ts'
import { placesHandlers } from './features/places/routes.ts'
import { portHandlers } from './features/ports/routes.ts'
import { proofHandlers } from './features/proofs/routes.ts'
import { forgetReadingArrivals } from './features/readings-export/jobs.ts'
import { readingsExportHandlers } from './features/readings-export/routes.ts'
import { hashOfReadings } from './features/records/content-hash.ts'
import { recordsDuring } from './features/records/during-queries.ts'
import { factsOfRecord } from './features/records/facts.ts'
import { groupRecordHandlers } from './features/records/group-routes.ts'
import { sweepLateArrivals, sweepRecords } from './features/records/jobs.ts'
import { reportedRecord } from './features/records/record-reads.ts'
import { beforeRecords, recordHandlers } from './features/records/routes.ts'
import { budgetAt } from './features/records/stability-budget.ts'
import { seesRecord } from './features/records/visibility-queries.ts'
import { buildRun } from './features/reports/build-run.ts'
import { failureMail } from './features/reports/failure-mail.ts'
import { reportsOnDashboard } from './features/reports/faults-sql.ts'
import { mailRun } from './features/reports/mail-run.ts'
import { reportHandlers } from './features/reports/routes.ts'
import { sweepReports } from './features/reports/sweep.ts'
import { verifiedRun } from './features/reports/verified.ts'
import { sandboxClockHandlers } from './features/sandbox/clock-routes.ts'
import { sandboxHandlers } from './features/sandbox/routes.ts'
import { savedViewHandlers } from './features/saved-views/routes.ts'
import { factorNeededMail, tellFactorNeeded, tellResets } from './features/security/jobs.ts'
import { securityHandlers } from './features/security/routes.ts'
import { sweepSessions } from './features/sessions/jobs.ts'
import { endSessions } from './features/sessions/queries.ts'
import { sessionHandlers } from './features/sessions/routes.ts'
import { shareLinkHandlers } from './features/share-links/routes.ts'
import { shipmentEvidenceHandlers } from './features/shipment-evidence/routes.ts'
import { shipmentLinkHandlers } from './features/shipment-links/routes.ts'
import { destinationHandlers, originHandlers } from './features/shipment-places/routes.ts'
import { shipmentBulk } from './features/shipments/bulk/kind.ts'
import { shipmentReportJobs } from './features/shipments/reports.ts'
import { beforeShipments, shipmentHandlers } from './features/shipments/routes.ts'
import { sweepLateShipmentFences, sweepShipmentFences } from './features/shipments/sweep-fences.ts'
import { domainMail } from './features/sso/domain-mail.ts'
import { checkSso } from './features/sso/jobs.ts'
import { ssoHandlers } from './features/sso/routes.ts'
import { statsHandlers, statsOfDevice, statsOfMember } from './features/stats/routes.ts'
import { planHandlers } from './features/subscription/plan-routes.ts'
import { subscriptionHandlers } from './features/subscription/routes.ts'
import { answerMail, requestForDesk, tellAnswers } from './features/support/jobs.ts'
import { supportHandlers } from './features/support/routes.ts'
import { invitationWanted, invitedElsewhere } from './features/users/jobs.ts'
import { userHandlers } from './features/users/routes.ts'
import { vehicleHandlers } from './features/vehicles/routes.ts'
import { walletsOnDashboard } from './features/wallet/on-dashboard.ts'
import { walletHandlers } from './features/wallet/routes.ts'
import { topUpWallets } from './features/wallet/top-up.ts'
import { forgetEvents, tellDeviceStates } from './features/webhooks/jobs.ts'
import { webhookHandlers } from './features/webhooks/routes.ts'
import { webhookMail } from './features/webhooks/tell-of-endpoint.ts'
import { listEndpoints, upsertEndpoints } from './features/webhooks/upsert-endpoints.ts'
import { inSandbox, wind } from './in-sandbox.ts'
import { ingestByHttp } from './pipeline/ingest/http.ts'
import { serveDeliveryReceipts } from './pipeline/notify/delivery-receipts.ts'
import type { Pipeline } from './pipeline/pipeline.ts'
import { sendLink } from './platform/auth/mail-links.ts'
import type { Context } from './platform/context.ts'
import { installCacheDir } from './platform/files/install-cache.ts'
import { loadTowns, nearestTownName } from './platform/gazetteer/nearest-town.ts'
import { serveDocs } from './platform/http/docs.ts'
import { serveSecurityTxt } from './platform/http/security-txt.ts'
import { serve } from './platform/http/serve.ts'
import { createServer } from './platform/http/server.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import type { Job, Services } from './platform/services.ts'
import { sweepKept } from './sweep-kept.ts'
import { sweepRetention } from './sweep-retention.ts'
import { tendSamples } from './tend-samples.ts'
import { resumeWinding, windSandbox } from './wind-sandbox.ts'

/** The data of a device, from the features that own it, for those that report. */
const reader: DeviceReader = {
  device: getDevice,
  stats: (ctx, id, period) => statsOfDevice(ctx, deviceIdOf(id), period),
  chart: drawChart,
  path: drawPath,
  excursions: excursionsOf,
  triggers: triggersOf({ nearestTownName }),
}
const recordReader: RecordReader = { record: (ctx, id) => reportedRecord(ctx, statsOfDevice, id), seesRecord }

const deviceReport = deviceReportJobs(reader, recordReader)
const groupReport = groupReportJobs(reader, groupReader(devicesByIds))
const orderClaim = claimJobs(reader)
const monitoringRecord = monitoringRecordJobs(recordReader)
const shipmentReport = shipmentReportJobs(reader)
const bulkUpload = readUploads({ shipments: shipmentBulk, orders: orderBulk })
export const reportRun = buildRun(reader)

/** The figures of features that conditions at a stop are made of. */
export const conditionSources = {
  stats: statsOfDevice,
  chart: drawDevices,
  budget: budgetAt,
  readingsHash: hashOfReadings,
}

/** Everything that runs in the background. */
export const jobs: Job<object>[] = [
  sendLink,
  linkWanted,
  alreadyRegistered,
  invitationWanted,
  invitedElsewhere,
  signInRefused,
  checkSso,
  domainMail,
  securityMail,
  tellResets,
  tellFactorNeeded,
  factorNeededMail,
  startFlights,
  sweepSessions,
  sweepRecords,
  sweepLateArrivals,
  sweepFences,
  sweepLateFences,
  sweepSnoozes,
  deviceReport.build,
  deviceReport.mail,
  signTrails,
  postCheckpoints,
  groupReport.build,
  groupReport.mail,
  orderClaim.build,
  orderClaim.mail,
  monitoringRecord.build,
  monitoringRecord.mail,
  sweepTreatments,
  tellTreatment,
  shipmentReport.build,
  shipmentReport.mail,
  sweepShipmentFences,
  sweepLateShipmentFences,
  bulkUpload,
  reportRun,
  mailRun,
  failureMail,
  sweepReports(reportRun),
  askOfEvent,
  sweepPayments,
  reconcilePayments,
  askCardOfEvent,
  topUpWallets,
  forgetCard,
  tellDesk,
  requestForDesk,
  tellAnswers,
  answerMail,
  sweepRefunds,
  tellOfRefund,
  refundTold,
  disputeTold,
  sweepDisputes,
  tellOfDispute,
  tellOfOtherPdf,
  voidOwed,
  billingMail,
  renewSubscriptions,
  tellLicenceEnds,
  tellCardEnds,
  tellOfMaximum,
  askInsurer,
  tellInsurerVoid,
  sweepInsurances,
  insuranceMail,
  receiverMail,
  makeReceipt,
  mailReceipt,
  ...sweepHandOvers(conditionSources),
  forgetDriverPositions,
  sweepKept,
  sweepOrphans,
  sweepRetention,
  tendSamples,
  windSandbox,
  resumeWinding,
  estimateArrivals,
  watchOrderGoods,
  tellCalibrations,
  lateMail,
  deliverPush,
  sweepPushes,
  tellDeviceStates,
  forgetEvents,
  forgetReadingArrivals,
  webhookMail,
  tellKeyEnds,
  keyEndMail,
]

const onDashboard = {
  devices: devicesOnDashboard(headingOut),
  alarms: alarmsOnDashboard,
  reports: reportsOnDashboard,
  wallets: walletsOnDashboard,
  licences: licencesOnDashboard,
}

const ofShareLinks = {
  devices: (ctx: Context, ids: number[], hasTrend: boolean) =>
    hasTrend ? devicesWithTrend(ctx, ids) : devicesByIds(ctx, ids),
  chart: drawChart,
  openAlarmsOf,
}
const ofRecords = { stats: statsOfDevice, chart: drawDevices }

/** The whole HTTP side: every feature, listed. */
export async function createApp(services: Services, pipeline?: Pipeline): Promise<FastifyInstance> {
  const app = await createServer(services)
  if (pipeline) await ingestByHttp(app, pipeline)
  serve(app, services, auth, authHandlers)
  serve(app, services, sso, ssoHandlers({ open: openBySso, present: presentLoginOrStep }))
  const keyCalls = noteKeyCalls(app, services)
  serve(app, services, company, companyHandlers, beforeCompany)
  serve(
    app,
    services,
    developer,
    developerHandlers({ events: chosenEvents, listEndpoints, upsertEndpoints }),
    beforeDeveloper(keyCalls),
  )
  serve(app, services, sandbox, sandboxHandlers(inSandbox))
  serve(app, services, sandboxClock, sandboxClockHandlers(wind))
  serve(app, services, users, userHandlers)
  serve(app, services, security, securityHandlers)
  serve(app, services, devices, {
    ...deviceHandlers({ openAlarmsOf, withTimeToBreach, tendSamples: (ctx) => ctx.enqueue(tendSamples, {}) }),
    ...deviceHistoryHandlers,
    ...deviceImportHandlers({ devicesByIds, claimDevices, changeDevices }),
  })
  serve(app, services, readingsExport, readingsExportHandlers(app, services))
  serve(app, services, deviceLife, deviceLifeHandlers(endSessions))
  serve(app, services, sessions, sessionHandlers({ ...reader, readings: readHistory }))
  serve(app, services, excursions, excursionHandlers({ triggers: triggersDuring, records: recordsDuring }))
  serve(app, services, deviceReports, deviceReportHandlers(deviceReport.build, verifiedRun))
  serve(app, services, reports, reportHandlers(reportRun))
  serve(app, services, stats, statsHandlers)
  serve(app, services, dashboard, dashboardHandlers(onDashboard))
  serve(app, services, places, placesHandlers)
  serve(app, services, savedViews, savedViewHandlers)
  serve(app, services, groups, groupHandlers({ devices: devicesByIds, giveLimits, stats: statsOfMember }))
  serve(
    app,
    services,
    records,
    recordHandlers({ ...ofRecords, reports: recordReports(deviceReport.build) }),
    beforeRecords,
  )
  serve(app, services, groupRecords, groupRecordHandlers(ofRecords))
  serve(
    app,
    services,
    proofs,
    proofHandlers((ctx, id) => factsOfRecord(ctx, statsOfDevice, id)),
  )
  serve(app, services, groupReports, groupReportHandlers(groupReport.build))
  serve(app, services, alarms, alarmHandlers({ nearestTownName }))
  serve(app, services, triage, triageHandlers({ nearestTownName }))
  serve(app, services, onCall, onCallHandlers)
  serve(app, services, notifications, notificationHandlers, beforeNotifications)
  serve(app, services, wallet, walletHandlers)
  serve(app, services, billing, billingHandlers)
  serve(app, services, cards, cardHandlers)
  serve(app, services, subscription, subscriptionHandlers)
  serve(app, services, support, supportHandlers)
  serve(app, services, plans, planHandlers)
  serve(app, services, shareLinks, shareLinkHandlers(ofShareLinks))
  serve(app, services, orders, orderHandlers)
  serve(app, services, orderEvidence, orderEvidenceHandlers(excursionsOf, orderClaim.build))
  serve(app, services, coldTreatments, coldTreatmentHandlers(monitoringRecord.build))
  serve(app, services, orderTemplates, orderTemplateHandlers)
  serve(app, services, dispatchSettings, dispatchSettingsHandlers)
  serve(app, services, insurances, insuranceHandlers, beforeInsurances)
  serve(app, services, orderTracking, orderTrackingHandlers({ ...reader, readings: readHistory }))
  serve(app, services, orderLinks, orderLinkHandlers(conditionSources, services.orderLinkMisses), beforeOrderLinks)
  serve(app, services, orderLife, orderLifeHandlers)
  serve(app, services, orderWarnings, orderWarningsHandlers)
  serve(app, services, epcis, epcisHandlers({ stats: statsOfDevice }), beforeEpcis(services.config.clamd))
  serve(app, services, shipmentEvidence, shipmentEvidenceHandlers(excursionsOf, budgetAt))
  serve(
    app,
    services,
    shipmentLinks,
    shipmentLinkHandlers(app, services, { stats: statsOfDevice }, services.shipmentLinkMisses),
  )
  serve(app, services, shipments, shipmentHandlers(shipmentReport.build), beforeShipments)
  const beforeUploads = beforeBulkUploads
  serve(app, services, shipmentUploads, bulkUploadHandlers(shipmentBulk, bulkUpload), beforeUploads)
  serve(app, services, orderUploads, bulkUploadHandlers(orderBulk, bulkUpload), beforeUploads)
  serve(app, services, contacts, contactHandlers)
  serve(app, services, drivers, driverHandlers)
  serve(app, services, vehicles, vehicleHandlers)
  serve(app, services, partners, partnerHandlers)
  serve(app, services, ports, portHandlers)
  serve(app, services, origins, originHandlers)
  serve(app, services, destinations, destinationHandlers)
  serve(app, services, exportSettings, exportSettingsHandlers)
  serve(app, services, calibrations, calibrationHandlers, beforeCalibrations)
  serve(app, services, audit, auditHandlers)
  serve(app, services, webhooks, webhookHandlers)
  serveLive(app, services)
  await serveDeliveryReceipts(app, services)
  await servePaymentEvents(app, services)
  await serveInsurerEvents(app, services)
  app.addHook('onListen', async () => void loadTowns())
  const { dataDir, tileSources } = services.config
  basemapRoutes(app, {
    cacheDirs: [installCacheDir, join(dataDir, 'cache')],
    streetsFile: join(dataDir, 'maps', 'streets.pmtiles'),
    tileSources,
  })
  serveDocs(app)
  serveSecurityTxt(app, services)
  await serveWebApp(app, services.findAsset)
  return app
}
