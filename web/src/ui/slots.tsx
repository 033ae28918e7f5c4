import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** Where the shell lets a page put what does not stand in it: elements of the top bar, null where there is none. */
export interface Slots {
  title: HTMLElement | null
  /** Links to parts of the screen, before everything else. */
  skips: HTMLElement | null
}
export const SlotsContext = createContext<Slots>({ title: null, skips: null })
/** Told by a list that its head has room for the page's actions. */
export const ListHeadContext = createContext<(element: HTMLElement | null) => void>(() => undefined)
export const useSlots = () => useContext(SlotsContext)

/** Renders into a slot of the shell, or nothing until the slot is there. */
export const InSlot = ({ slot, children }: { slot: HTMLElement | null; children: ReactNode }) =>
  slot ? createPortal(children, slot) : null

export const HeadContext = createContext<HTMLElement | null>(null)
/** Actions in the header of a page that has tabs, from what it shows. */
export const PageActions = ({ children }: { children: ReactNode }) => (
  <InSlot slot={useContext(HeadContext)}>{children}</InSlot>
)
