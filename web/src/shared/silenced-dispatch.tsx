import { dispatchSettings, type SilencedList, type SilencedListsQuery } from '@isotherm/contract/dispatch-settings.ts'
import { Alert } from '@mantine/core'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../lib/can.ts'
import { useCall } from '../lib/query.ts'

/** Names the lists of dispatch that would reach nobody any more without a person or rota that is about to be removed. */
export function SilencedDispatch({ of }: { of: SilencedListsQuery }) {
  const { data = [] } = useCall(dispatchSettings.silenced, { query: of }, { enabled: useCan('dispatch.view') })
  if (data.length === 0) return null
  return (
    <Suspense fallback={null}>
      <Alert color="orange" role="alert">
        {data.map(({ tier, list }) => (
          <Line key={`${tier} ${list}`} tier={tier} list={list} />
        ))}
      </Alert>
    </Suspense>
  )
}

function Line({ tier, list }: SilencedList) {
  const { t } = useTranslation('orders')
  return <div>{t(`silenced.${tier}.${list}`)}</div>
}
