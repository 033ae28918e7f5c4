import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './renewing.module.css'

interface RenewingProps {
  /** True while the content answers the former question: `isPlaceholderData` of a `useCall` with `keepPrevious`. */
  isOld: boolean
  className?: string
  children: ReactNode
}

/** Dims what answers the question before, and says so, until the new answer is there. Nothing old stands under a new heading without it. */
export function Renewing({ isOld, className, children }: RenewingProps) {
  const { t } = useTranslation()
  return (
    <div className={`${classes.renewing} ${className ?? ''}`} aria-busy={isOld}>
      {children}
      {isOld && (
        <p className={classes.hint} role="status">
          {t('renewing')}
        </p>
      )}
    </div>
  )
}
