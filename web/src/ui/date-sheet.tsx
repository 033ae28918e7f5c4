import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './date-field.module.css'
import { DatePanel, type DatePanelProps } from './date-panel.tsx'

/** The calendar at the lower edge of a phone, under the thumb. */
export function DateSheet({ title, ...panel }: DatePanelProps & { title: string }) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened
      onClose={panel.onClose}
      position="bottom"
      classNames={{ content: classes.sheet, header: classes.sheet }}
      title={title}
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <DatePanel {...panel} large />
    </Drawer>
  )
}
