import { TriggerMarks } from '../../features/alarms/parts/chart-marks.tsx'
import { DetailsPage } from '../../features/devices/pages/details-page.tsx'

/** A device's details with what its alarms fired on the chart. */
export const DeviceDetailsPage = () => <DetailsPage Marks={TriggerMarks} />
