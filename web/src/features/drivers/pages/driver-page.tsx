import { type Driver, drivers } from '@isotherm/contract/drivers.ts'
import { Group, Stack } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useEntity } from '../../../lib/use-entity.ts'
import { DispatchTabs } from '../../../ui/dispatch-tabs.tsx'
import { EntityPage } from '../../../ui/entity-page.tsx'
import { RowMenu } from '../../../ui/list/row-menu.tsx'
import { DriverFacts } from '../parts/driver-facts.tsx'
import { DriverFigures } from '../parts/driver-figures.tsx'
import { DriverState } from '../parts/driver-state.tsx'
import { TripList } from '../parts/trip-list.tsx'
import { useDriverActions } from '../parts/use-driver-actions.tsx'

/** One driver: who it is, what was driven in figures, and trip by trip; the app puts the scores in. */
export function DriverPage({ scores }: { scores: (driverId: string) => ReactNode }) {
  const { t } = useTranslation('drivers')
  const navigate = useNavigate()
  const answer = useEntity(drivers.one, { id: 'driverId' })
  const mayEdit = useCan('dispatch.addOrEdit')
  const { actionsOf, dialogs } = useDriverActions(() => void navigate({ to: '/dispatch/drivers', replace: true }))
  const actions = (driver: Driver) => (
    <Group gap="md" wrap="nowrap">
      <DriverState status={driver.status} />
      {mayEdit && <RowMenu name={driver.name} actions={actionsOf(driver)} />}
    </Group>
  )
  return (
    <EntityPage
      title={answer.entity?.name ?? t('title')}
      breadcrumb={<Link to="/dispatch/drivers">{t('title')}</Link>}
      tabs={<DispatchTabs />}
      answer={answer}
      actions={actions}
    >
      {(driver) => (
        <Stack gap="lg">
          <DriverFacts driver={driver} />
          <DriverFigures driverId={driver.id} />
          {scores(driver.id)}
          <TripList driverId={driver.id} />
          {dialogs}
        </Stack>
      )}
    </EntityPage>
  )
}
