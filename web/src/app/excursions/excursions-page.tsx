import { excursions } from '@isotherm/contract/excursions.ts'
import { Button, Stack } from '@mantine/core'
import { IconList } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PeriodBar } from '../../features/devices/parts/period-bar.tsx'
import { usePeriod } from '../../features/devices/use-period.ts'
import { ExcursionList } from '../../features/excursions/parts/excursion-list.tsx'
import { ExcursionTotals } from '../../features/excursions/parts/excursion-totals.tsx'
import { useExcursionParams } from '../../features/excursions/use-excursion-params.ts'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { useGroupChoices } from '../../shared/group-choices.ts'
import { ExportButton } from '../../ui/list/export-button.tsx'
import { Page } from '../../ui/page.tsx'

const CausesDrawer = lazy(async () => ({
  default: (await import('../../features/excursions/parts/causes-drawer.tsx')).CausesDrawer,
}))

/** The excursions of every device that the person sees, for those who explain them. Rare things: a month is shown at first. */
export function ExcursionsPage() {
  const { t } = useTranslation('excursions')
  const zone = useSession((state) => state.timezone)
  const [mayExport, isAdmin] = [useCan('devices.export'), useCan('admin')]
  const [isListing, setListing] = useState(false)
  const groups = useGroupChoices()
  const { params, causes, owners } = useExcursionParams(groups)
  const { chosen, period, choose } = usePeriod('30d')
  const { page, perPage, ...query } = { ...params.asked, ...period }
  const { sort: _, ...totalled } = query
  const answer = useCall(
    excursions.list,
    { query: { ...query, page, perPage } },
    { keepPrevious: true, refetchMs: 60_000 },
  )
  const actions = (
    <>
      {isAdmin && (
        <Button variant="default" leftSection={<IconList size={16} />} onClick={() => setListing(true)}>
          {t('reasons.action')}
        </Button>
      )}
      {mayExport && (
        <ExportButton
          fileName="excursions.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(excursions.exportCsv, { query }, { toastAll: true })}
        />
      )}
    </>
  )
  return (
    <Page title={t('title')} actions={actions}>
      <Stack gap="sm">
        <PeriodBar chosen={chosen} period={period} zone={zone} onChoose={choose} />
        <ExcursionTotals query={totalled} onCause={(cause) => params.change({ filters: { cause } })} />
        <ExcursionList
          answer={answer}
          params={params}
          causes={causes}
          owners={owners}
          groups={groups}
          empty={{ title: t('empty.title'), text: t('empty.fleet') }}
        />
      </Stack>
      <Suspense fallback={null}>
        {isListing && <CausesDrawer causes={causes} onClose={() => setListing(false)} />}
      </Suspense>
    </Page>
  )
}
