import { DriverPage } from '../../features/drivers/pages/driver-page.tsx'
import { Scorecards } from '../../features/order-evidence/parts/scorecards.tsx'

/** One driver, with the scores of the last 90 days. */
export function DriverWithScores() {
  return <DriverPage scores={(driverId) => <Scorecards driverId={driverId} />} />
}
