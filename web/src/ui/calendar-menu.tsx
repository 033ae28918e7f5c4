import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconCalendarWeek } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { calendarPeriods, daysOf, firstDayOfWeek } from '../lib/calendar-periods.ts'
import { nowMs } from '../lib/now.ts'
import { useSession } from '../lib/session.ts'

interface CalendarMenuProps {
  /** Both days belong to the period. */
  onChoose: (days: { first: string; last: string }) => void
}

/** Today, this week, last month: the days of the person's calendar, for the two fields beside it. */
export function CalendarMenu({ onChoose }: CalendarMenuProps) {
  const { t } = useTranslation()
  const zone = useSession((state) => state.timezone)
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('dates.periods.label')} title={t('dates.periods.label')}>
          <IconCalendarWeek size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {calendarPeriods.map((period) => (
          <Menu.Item key={period} onClick={() => onChoose(daysOf(period, localDayOf(nowMs(), zone), firstDayOfWeek()))}>
            {t(`dates.periods.${period}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
