import { Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './screen-waiting.module.css'

/** While a screen's code is on its way. */
export function ScreenWaiting() {
  const { t } = useTranslation()
  return (
    <div className={classes.waiting} role="status" aria-label={t('screen.loading')}>
      <Loader size="sm" color="gray" />
    </div>
  )
}
