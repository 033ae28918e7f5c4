import { alarms } from './alarms.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { billing } from './billing.ts'
import type { Calls } from './call.ts'
import { cards } from './cards.ts'
import { company } from './company.ts'
import { dashboard } from './dashboard.ts'
import { deviceLife } from './device-life.ts'
import { deviceReports } from './device-reports.ts'
import { devices } from './devices.ts'
import { excursions } from './excursions.ts'
import { groupRecords } from './group-records.ts'
import { groupReports } from './group-reports.ts'
import { groups } from './groups.ts'
import { live } from './live.ts'
import { notifications } from './notifications.ts'
import { onCall } from './on-call.ts'
import { places } from './places.ts'
import { plans } from './plans.ts'
import { records } from './records.ts'
import { reports } from './reports.ts'
import { savedViews } from './saved-views.ts'
import { sessions } from './sessions.ts'
import { shareLinks } from './share-links.ts'
import { stats } from './stats.ts'
import { subscription } from './subscription.ts'
import { support } from './support.ts'
import { triage } from './triage.ts'
import { users } from './users.ts'
import { wallet } from './wallet.ts'

/** Every call there is, by feature: OpenAPI and the test matrix are made from it. */
export const api = {
  auth,
  billing,
  cards,
  company,
  users,
  devices,
  deviceLife,
  deviceReports,
  savedViews,
  sessions,
  excursions,
  stats,
  dashboard,
  places,
  groups,
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
  live,
} satisfies Record<string, Calls>
