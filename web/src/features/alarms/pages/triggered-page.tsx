import { useTranslation } from 'react-i18next'
import { AlarmsFrame } from '../parts/alarms-frame.tsx'
import { TriggerList } from '../parts/trigger-list.tsx'

export function TriggeredPage() {
  const { t } = useTranslation('alarms')
  return (
    <AlarmsFrame>
      <TriggerList empty={{ title: t('triggers.empty.title'), text: t('triggers.empty.text') }} />
    </AlarmsFrame>
  )
}
