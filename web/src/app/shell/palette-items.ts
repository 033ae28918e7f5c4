import type { Call, Guard } from '@isotherm/contract/call.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { records } from '@isotherm/contract/records.ts'
import type { TFunction } from 'i18next'
import { can } from '../../lib/can.ts'
import { isOwn, type NavigationItem, ownNavigation, screenOf } from './navigation.ts'

export interface PaletteItem {
  id: string
  label: string
  description?: string
  to: string
  /** Opens the form of something new there. */
  begins?: boolean
}

interface PaletteAction {
  /** Key of namespace `shell`, below `palette.do`. */
  label: string
  to: string
  needs: Guard | Call
  begins?: boolean
}

/** Everything that can be begun from anywhere. */
const actions: PaletteAction[] = [
  { label: 'setUpDevice', to: '/devices/setupdevice/new', needs: devices.setup },
  { label: 'setUpFromFile', to: '/devices/setup-from-file', needs: devices.setupBulk },
  { label: 'addAlarm', to: '/alarms/add-alarm-page', needs: 'alarms.addOrEdit' },
  { label: 'newRecord', to: '/records', needs: records.add, begins: true },
  { label: 'addGroup', to: '/groups', needs: 'groups.addOrEdit', begins: true },
  { label: 'addReport', to: '/reports', needs: 'reports.addOrEdit', begins: true },
  { label: 'addDriver', to: '/dispatch/drivers', needs: 'dispatch.addOrEdit', begins: true },
  { label: 'addVehicle', to: '/dispatch/vehicles', needs: 'dispatch.addOrEdit', begins: true },
  { label: 'addDispatch', to: '/dispatch/add-dispatch', needs: 'dispatch.addOrEdit' },
  { label: 'addShipment', to: '/export/dispatch/add-shipment', needs: 'dispatch.addOrEdit' },
  { label: 'addContact', to: '/dispatch/contacts', needs: 'dispatch.addOrEdit', begins: true },
  { label: 'addUser', to: '/users/all-users', needs: 'users.addOrEdit', begins: true },
]

/** Screens below those of the rail. */
const subScreens: Omit<NavigationItem, 'icon' | 'key'>[] = [
  { to: '/compare', label: 'compare', needs: 'devices.view' },
  { to: '/devices/device-sessions', label: 'deviceSessions', needs: 'devices.view' },
  { to: '/alarms/triggered-alarms', label: 'triggeredAlarms', needs: 'alarms.view' },
  { to: '/alarms/add-alarm-page', label: 'addAlarm', needs: 'alarms.addOrEdit' },
  { to: '/alarms/on-call', label: 'onCall', needs: 'alarms.view' },
  { to: '/dispatch/drivers', label: 'dispatchDrivers', needs: 'dispatch.view' },
  { to: '/dispatch/vehicles', label: 'dispatchVehicles', needs: 'dispatch.view' },
  { to: '/dispatch/contacts', label: 'dispatchContacts', needs: 'dispatch.view' },
  { to: '/dispatch/partners', label: 'dispatchPartners', needs: 'dispatch.view' },
  { to: '/export/dispatch/origin', label: 'exportOrigins', needs: 'dispatch.view' },
  { to: '/export/dispatch/destination', label: 'exportDestinations', needs: 'dispatch.view' },
  { to: '/export/calibrations', label: 'exportCalibrations', needs: 'dispatch.view' },
  { to: '/export/scorecards', label: 'exportScorecards', needs: 'dispatch.view' },
  { to: '/export/settings', label: 'exportSettingsScreen', needs: 'dispatch.view' },
  { to: '/wallet/details', label: 'walletDetails', needs: 'payments.view' },
  { to: '/wallet/history', label: 'walletHistory', needs: 'payments.view' },
  { to: '/wallet/settings', label: 'walletSettings', needs: 'payments.view' },
  { to: '/subscription/devices', label: 'plans', needs: 'payments.view', whereSold: true },
  { to: '/subscription/licences', label: 'licences', needs: 'payments.view', whereSold: true },
  { to: '/subscription/invoices', label: 'invoices', needs: 'payments.view', whereSold: true },
  { to: '/subscription/cards', label: 'cards', needs: 'payments.view', whereSold: true },
  { to: '/support/features', label: 'features', needs: 'session' },
  { to: '/settings/decommissioned-devices', label: 'decommissionedDevices', needs: 'devices.view' },
  { to: '/users/all-users', label: 'allUsers', needs: 'users.view' },
  { to: '/users/permissions', label: 'permissions', needs: 'users.addOrEdit' },
  { to: '/settings/profile', label: 'profile', needs: 'session' },
  { to: '/settings/businessprofile', label: 'businessProfile', needs: 'session' },
  { to: '/settings/changepassword', label: 'changePassword', needs: 'session' },
  { to: '/settings/security', label: 'security', needs: 'session' },
  { to: '/settings/chart-settings', label: 'chartSettings', needs: 'session' },
  { to: '/settings/warranty', label: 'warranty', needs: 'session' },
  { to: '/settings/sharing', label: 'sharing', needs: 'admin' },
  { to: '/settings/security/sso', label: 'sso', needs: 'admin' },
]

// NFKD makes the spaces of French that do not break plain, as they are typed.
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Does a label have every word that was typed, or all of it when nobody minds the blanks ("setup")? */
function fits(label: string, text: string): boolean {
  const name = plain(label)
  const words = plain(text).split(/\s+/).filter(Boolean)
  return words.every((word) => name.includes(word)) || name.replaceAll(' ', '').includes(words.join(''))
}

/** Those whose label fits; first those that begin with what is typed: "cards" means Cards, and not Scorecards. */
function fitting(items: PaletteItem[], text: string): PaletteItem[] {
  const isBegun = ({ label }: PaletteItem) => plain(label).startsWith(plain(text).trim())
  return items.filter(({ label }) => fits(label, text)).sort((one, other) => +isBegun(other) - +isBegun(one))
}

export interface PaletteGroup {
  title: string
  items: PaletteItem[]
}

/** The actions and screens that the person may use and that fit what is typed; `t` of namespace `shell`. */
export function ownItems(text: string, t: TFunction<'shell'>): PaletteGroup[] {
  const begun = actions
    .filter(({ needs }) => can(needs))
    .map(({ label, to, begins }) => ({ id: `do-${label}`, label: t(`shell:palette.do.${label}`), to, begins }))
  const screens = [...ownNavigation(), ...subScreens.filter(isOwn)].map((item) => ({
    id: item.to,
    label: t(`shell:nav.${item.label}`),
    to: screenOf(item),
  }))
  return [
    { title: 'palette.actions', items: fitting(begun, text) },
    { title: 'palette.screens', items: fitting(screens, text) },
  ]
}
