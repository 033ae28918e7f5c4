import { join } from 'node:path'
import { alarms } from '@isotherm/contract/alarms.ts'
import { audit } from '@isotherm/contract/audit.ts'
import { auth } from '@isotherm/contract/auth.ts'
import { company } from '@isotherm/contract/company.ts'
import { dashboard } from '@isotherm/contract/dashboard.ts'
import { deviceLife } from '@isotherm/contract/device-life.ts'
import { deviceReports } from '@isotherm/contract/device-reports.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { excursions } from '@isotherm/contract/excursions.ts'
import { groupRecords } from '@isotherm/contract/group-records.ts'
import { groupReports } from '@isotherm/contract/group-reports.ts'
import { groups } from '@isotherm/contract/groups.ts'
import { notifications } from '@isotherm/contract/notifications.ts'
import { places } from '@isotherm/contract/places.ts'
import { records } from '@isotherm/contract/records.ts'
import { reports } from '@isotherm/contract/reports.ts'
import { sessions } from '@isotherm/contract/sessions.ts'
import { stats } from '@isotherm/contract/stats.ts'
import { users } from '@isotherm/contract/users.ts'
import { wallet } from '@isotherm/contract/wallet.ts'
import type { FastifyInstance } from 'fastify'
import { deviceReport, deviceReportMail } from './device-report-sources.ts'
import { alarmsOnDashboard, openAlarmsOf } from './features/alarms/on-dashboard.ts'
import { alarmHandlers } from './features/alarms/routes.ts'
import { postCheckpoints, signTrails } from './features/audit/jobs.ts'
import { auditHandlers } from './features/audit/routes.ts'
import { alreadyRegistered, linkWanted, signInRefused } from './features/auth/jobs.ts'
import { authHandlers } from './features/auth/routes.ts'
import { installCacheDir } from './features/basemap/archive-builder.ts'
import { basemapRoutes } from './features/basemap/routes.ts'
import { companyHandlers } from './features/company/routes.ts'
import { dashboardHandlers } from './features/dashboard/routes.ts'
import { startFlights } from './features/device-life/jobs.ts'
import { deviceLifeHandlers } from './features/device-life/routes.ts'
import { recordReports } from './features/device-reports/record-reports.ts'
import { deviceReportHandlers } from './features/device-reports/routes.ts'
import { drawChart } from './features/devices/draw-chart.ts'
import { drawPath } from './features/devices/draw-path.ts'
import { devicesByIds } from './features/devices/get-device.ts'
import { licencesOnDashboard } from './features/devices/licences-on-dashboard.ts'
import { devicesOnDashboard } from './features/devices/on-dashboard.ts'
import { devicesOnMap } from './features/devices/on-map.ts'
import { readHistory } from './features/devices/read-history.ts'
import { deviceHandlers, deviceList } from './features/devices/routes.ts'
import { giveLimits } from './features/devices/set-limits.ts'
import { loadTowns, nearestTownName } from './features/devices/towns.ts'
import { excursionHandlers } from './features/excursions/routes.ts'
import { mailGroupReport } from './features/group-reports/jobs.ts'
import { groupReportHandlers } from './features/group-reports/routes.ts'
import { drawDevices } from './features/groups/chart.ts'
import { groupHandlers } from './features/groups/routes.ts'
import { serveLive } from './features/live/routes.ts'
import { notificationHandlers } from './features/notifications/routes.ts'
import { placesHandlers } from './features/places/routes.ts'
import { groupRecordHandlers } from './features/records/group-routes.ts'
import { sweepLateArrivals, sweepRecords } from './features/records/jobs.ts'
import { beforeRecords, recordHandlers } from './features/records/routes.ts'
import { failureMail } from './features/reports/failure-mail.ts'
import { reportsOnDashboard } from './features/reports/faults-sql.ts'
import { mailRun } from './features/reports/mail-run.ts'
import { reportHandlers } from './features/reports/routes.ts'
import { sweepReports } from './features/reports/sweep.ts'
import { verifiedRun } from './features/reports/verified.ts'
import { sweepSessions } from './features/sessions/jobs.ts'
import { sessionHandlers } from './features/sessions/routes.ts'
import { statsHandlers, statsOfDevice, statsOfMember } from './features/stats/routes.ts'
import { invitationWanted, invitedElsewhere } from './features/users/jobs.ts'
import { userHandlers } from './features/users/routes.ts'
import { walletsOnDashboard } from './features/wallet/on-dashboard.ts'
import { walletHandlers } from './features/wallet/routes.ts'
import { groupReport } from './group-report-sources.ts'
import { ingestByHttp } from './pipeline/ingest/http.ts'
import { serveDeliveryReceipts } from './pipeline/notify/delivery-receipts.ts'
import type { Pipeline } from './pipeline/pipeline.ts'
import { sendLink } from './platform/auth/mail-links.ts'
import { serveDocs } from './platform/http/docs.ts'
import { serve } from './platform/http/serve.ts'
import { createServer } from './platform/http/server.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import type { Job } from './platform/jobs/jobs.ts'
import type { Services } from './platform/services.ts'
import { reportRun } from './report-sources.ts'
import { sweepKept } from './sweep-kept.ts'

/** Everything that runs in the background. */
export const jobs = [
  sendLink,
  linkWanted,
  alreadyRegistered,
  invitationWanted,
  invitedElsewhere,
  signInRefused,
  startFlights,
  sweepSessions,
  sweepRecords,
  sweepLateArrivals,
  deviceReport,
  deviceReportMail,
  signTrails,
  postCheckpoints,
  groupReport,
  mailGroupReport,
  reportRun,
  mailRun,
  failureMail,
  sweepReports(reportRun),
  sweepKept,
] as unknown as Job<never>[]

const onDashboard = {
  devices: devicesOnDashboard,
  alarms: alarmsOnDashboard,
  reports: reportsOnDashboard,
  wallets: walletsOnDashboard,
  licences: licencesOnDashboard,
}

const ofRecords = { stats: statsOfDevice, chart: drawDevices }

/** The whole HTTP side: every feature, listed. */
export async function createApp(services: Services, pipeline?: Pipeline): Promise<FastifyInstance> {
  const app = await createServer(services)
  if (pipeline) await ingestByHttp(app, pipeline)
  serve(app, services, auth, authHandlers)
  serve(app, services, company, companyHandlers)
  serve(app, services, users, userHandlers)
  serve(app, services, devices, { ...deviceHandlers, ...deviceList(openAlarmsOf) })
  serve(app, services, deviceLife, deviceLifeHandlers)
  serve(app, services, sessions, sessionHandlers({ chart: drawChart, path: drawPath, readings: readHistory }))
  serve(app, services, excursions, excursionHandlers)
  serve(app, services, deviceReports, deviceReportHandlers(deviceReport, verifiedRun))
  serve(app, services, reports, reportHandlers(reportRun))
  serve(app, services, stats, statsHandlers)
  serve(app, services, dashboard, dashboardHandlers(onDashboard))
  serve(app, services, places, placesHandlers({ fleet: devicesOnMap, nearestTownName }))
  serve(app, services, groups, groupHandlers({ devices: devicesByIds, giveLimits, stats: statsOfMember }))
  serve(
    app,
    services,
    records,
    recordHandlers({ ...ofRecords, reports: recordReports(deviceReport) }),
    beforeRecords(services.config.clamd),
  )
  serve(app, services, groupRecords, groupRecordHandlers(ofRecords))
  serve(app, services, groupReports, groupReportHandlers(groupReport))
  serve(app, services, alarms, alarmHandlers({ nearestTownName }))
  serve(app, services, notifications, notificationHandlers)
  serve(app, services, wallet, walletHandlers)
  serve(app, services, audit, auditHandlers)
  serveLive(app, services)
  await serveDeliveryReceipts(app, services)
  app.addHook('onListen', async () => void loadTowns())
  const { dataDir, tileSources } = services.config
  basemapRoutes(app, { cacheDirs: [installCacheDir, join(dataDir, 'cache')], tileSources })
  serveDocs(app)
  await serveWebApp(app)
  return app
}
