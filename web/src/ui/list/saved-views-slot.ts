import { type ComponentType, createContext } from 'react'

/** A choice of columns by their keys: shown or not, whatever the width. */
export type ChosenColumns = Record<string, boolean>

export interface SavedViewsProps {
  /** The address of the screen, with the names of its parameters. */
  screen: string
  columns: ChosenColumns
  onColumns: (columns: ChosenColumns) => void
}

/** The menu of saved views, which the shell gives to every list. */
export const SavedViewsContext = createContext<ComponentType<SavedViewsProps> | null>(null)
