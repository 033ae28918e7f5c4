/** A hole: any part of a key. */
const any = '\0'

const measures = ['deviceReports:document.temperature', 'deviceReports:document.humidity']

/** Keys that scripts/locales/check-uses.mjs cannot read from a file alone. */
export const dynamicKeys = {
  /** The texts of a file whose keys stand in variables: all must be there. */
  keys: {
    'server/src/reporting/reading-columns.ts': [`deviceReports:table.${any}`],
    'server/src/features/group-reports/columns.ts': [`groupReports:table.${any}`],
    'server/src/features/group-reports/pdf/facts.ts': [`groupReports:document.${any}`],
    'server/src/features/device-reports/pdf/cover.ts': [...measures],
    'server/src/features/group-reports/layout.ts': [...measures],
    'server/src/features/reports/writer/document.ts': [...measures],
    'server/src/reporting/spreadsheet.ts': [...measures],
    'server/src/reporting/stats-tables.ts': [...measures],
    'server/src/core/alerts/alert-texts.ts': ['fired', 'normal', 'back', 'total.fired', 'total.normal'].map(
      (kind) => `alerts:what.${kind}.${any}`,
    ),
    'web/src/app/shell/palette.tsx': [
      ...['devices', 'groups', 'records', 'reports', 'people', 'places', 'actions', 'screens'].map(
        (name) => `shell:palette.${name}`,
      ),
      'shell:nav.alarms',
    ],
    'web/src/app/export/shipment-page.tsx': [
      ...['journey', 'conditions', 'documents', 'events', 'ppecb'].map((name) => `shipments:${name}.title`),
      ...['shipments:fields.devices', 'coldTreatments:title', 'epcis:title', 'shipmentLinks:title'],
    ],
    'web/src/features/device-life/parts/licence-section.tsx': [
      'deviceLife:licence.until',
      'deviceLife:licence.expired',
    ],
    'web/src/features/excursions/parts/excursion-summary.tsx': ['excursions:highest', 'excursions:lowest'],
    'web/src/features/shipments/parts/shipment-acts.tsx': ['started', 'completed', 'cancelled'].map(
      (act) => `shipments:act.${act}`,
    ),
    'web/src/features/records/use-record-actions.ts': ['records:start.done', 'records:end.done', 'records:remove.done'],
    'web/src/map/playback/playback-bar.tsx': ['maps:play.hours24', 'maps:play.days7', 'maps:play.days30'],
    'web/src/ui/settings-page.tsx': [
      ...['profile', 'businessProfile', 'changePassword', 'chartSettings', 'decommissionedDevices'].map(
        (name) => `shell:nav.${name}`,
      ),
    ],
    'web/src/shared/stats/period-stats.tsx': ['stats:temperature', 'stats:humidity'],
  },
  /** Texts that a key with a hole seems to name in a file, and does not: their values are not given there. */
  without: {
    'web/src/features/epcis/parts/read-epcis.tsx': ['epcis:read.unknown'],
    'server/src/reporting/chart.ts': ['deviceReports:document.chart.buckets', 'deviceReports:document.chart.each'],
    'server/src/reporting/excursion-table.ts': ['deviceReports:document.excursions.amended'],
    'server/src/reporting/spreadsheet.ts': ['deviceReports:document.excursions.amended'],
    'server/src/features/group-reports/pdf/excursion-table.ts': ['deviceReports:document.excursions.amended'],
    'server/src/features/device-reports/pdf/record-cover.ts': [
      ...['title', 'subtitle', 'worst', 'hidden', 'swapped', 'gone', 'joined', 'left'].map(
        (name) => `deviceReports:document.record.${name}`,
      ),
      ...['left', 'used', 'exhausted', 'broken', 'note', 'earlier'].map(
        (name) => `deviceReports:document.record.budget.${name}`,
      ),
    ],
    'server/src/features/audit/verify.ts': ['audit:faults.range'],
    'server/src/features/notifications/routes.ts': [
      'notifications:unread',
      'notifications:new',
      'notifications:answered',
    ],
    // Reports lack a target, or a content that fits their formats.
    'server/src/features/reports/check-report.ts': [
      'errors:fields.rule.periodTooLong',
      'errors:fields.rule.tooManyWords',
      'errors:fields.rule.snoozeTooLong',
      'errors:fields.rule.recordTooLarge',
      'errors:fields.rule.tooManyCauses',
      'errors:fields.rule.tooManyItems',
      'errors:fields.rule.localTimeGap',
      'errors:fields.rule.plannedTooFar',
      'errors:fields.rule.tooManyLegs',
      'errors:fields.rule.tooManyDevices',
      'errors:fields.rule.tooManyDevicesInAll',
    ],
    'web/src/app/alarms/details-page.tsx': ['shown', 'from', 'to', 'tooLong'].map((name) => `devices:period.${name}`),
    'web/src/app/dashboard/account-state.tsx': ['dashboard:account.places', 'dashboard:account.nextEnd'],
    'web/src/app/dashboard/excursions-now.tsx': ['dashboard:excursions.since', 'dashboard:excursions.peak'],
    'web/src/app/dashboard/figures.tsx': [`dashboard:figures.${any}Of`, 'dashboard:figures.bySeverity'],
    'web/src/app/device-reports/verify-report-page.tsx': ['sizeBytes', 'matchText', 'noMatchText'].map(
      (name) => `deviceReports:verify.${name}`,
    ),
    'web/src/app/compare/compare-page.tsx': ['groups:overview.of', 'groups:overview.more'],
    'web/src/app/groups/chart-page.tsx': ['groups:overview.of', 'groups:overview.more'],
    'web/src/app/groups/overview-page.tsx': ['groups:overview.of', 'groups:overview.more'],
    'web/src/app/records/record-chart.tsx': ['groups:overview.of', 'groups:overview.more'],
    'web/src/app/shell/live-indicator.tsx': ['shell:live.behind'],
    'web/src/features/alarms/parts/alarm-facts.tsx': [
      ...['addAll', 'remove', 'group', 'moreDevices', 'unlisted', 'channelsOf', 'noPhone'].map(
        (name) => `alarms:form.${name}`,
      ),
    ],
    'web/src/features/alarms/parts/back-test-panel.tsx': [
      ...['sentence', 'devices', 'tooShort', 'someShort', 'alike', 'more'].map((name) => `alarms:backTest.${name}`),
    ],
    'web/src/features/alarms/parts/snooze-dialog.tsx': ['title', 'ownLabel', 'untilTime'].map(
      (name) => `alarms:snooze.${name}`,
    ),
    'web/src/features/alarms/parts/trigger-parts.tsx': [`triggers:marks.${any}Hint`],
    'web/src/features/device-life/parts/power-section.tsx': ['offTitle', 'onTitle', 'offText'].map(
      (name) => `deviceLife:power.${name}`,
    ),
    'web/src/features/device-reports/parts/report-excursions.tsx': ['deviceReports:document.excursions.amended'],
    'web/src/features/device-reports/parts/report-figures.tsx': [
      ...[
        'title',
        'subtitle',
        'page',
        'imeis',
        'imeiSince',
        'imeiFromTo',
        'imeiProbe',
        'fromTo',
        'untilText',
        'unattended',
      ],
      ...['readingsAt', 'generatedBy', 'stats.mktOf', 'stats.at'],
    ].map((name) => `deviceReports:document.${name}`),
    'web/src/features/devices/parts/licence-note.tsx': ['devices', 'until', 'months'].map(
      (name) => `devices:licence.${name}`,
    ),
    'web/src/features/devices/parts/limits-fields.tsx': ['devices:limits.are'],
    'web/src/features/devices/parts/period-bar.tsx': ['shown', 'from', 'to', 'tooLong'].map(
      (name) => `devices:period.${name}`,
    ),
    'web/src/features/excursions/parts/excursion-parts.tsx': [`excursions:marks.${any}Hint`],
    'web/src/features/places/parts/place-form.tsx': ['places:point.deleteTitle', 'places:fence.deleteTitle'],
    'web/src/features/records/parts/record-devices.tsx': ['swapped', 'gone', 'joined', 'left'].map(
      (name) => `records:devices.${name}`,
    ),
    'web/src/features/records/parts/reports-card.tsx': ['records:report.states.building'],
    'web/src/ui/list/page-buttons.tsx': ['common:list.page.number'],
  },
  /** The namespace of a `t` that a file is handed. */
  namespaces: {
    'web/src/charts/save-image.ts': ['charts'],
    'web/src/features/alarms/rule-words.ts': ['alarms'],
    'web/src/features/alarms/timeline.ts': ['triggers'],
    'web/src/features/alarms/trigger-words.ts': ['triggers'],
    'web/src/features/webhooks/endpoint-words.ts': ['webhooks'],
    'web/src/features/webhooks/replay-to.ts': ['webhooks'],
  },
  /** Functions that put something before a key, by the beginning of the paths they are known in. */
  shorthands: [
    { within: 'server/src/', name: 't', prefix: 'deviceReports:document.', values: true },
    { within: 'server/src/', name: 'words\\.t', prefix: 'deviceReports:document.', values: true },
    { within: 'server/src/features/reports/writer/', name: 't', prefix: 'reports:document.', values: true },
    { within: 'server/src/reporting/alarm-table.ts', name: 't', prefix: 'reports:document.', values: true },
    { within: 'server/src/reporting/device-tables.ts', name: 't', prefix: '', values: false },
    {
      within: 'server/src/platform/csv/read-csv.ts',
      name: 'rule',
      prefix: 'errors:fields.rule.csv.',
      values: true,
    },
  ],
}
