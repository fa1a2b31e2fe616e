/** Renders only the visible rows of a list. */
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';
import { isPrinting } from './print.js';

export interface VirtualRows {
  /** Indexes of the rendered rows. */
  readonly indexes: readonly number[];
  /** Heights in pixels of the rows before and after them. */
  readonly before: number;
  readonly after: number;
  /** The `ref` of a row, which needs `data-index`: a row may be higher than estimated. */
  readonly measure: (row: Element | null) => void;
  /** Scrolls until the row is visible, so that it is rendered. */
  readonly reveal: (index: number) => void;
}

/**
 * @param scroller The element that scrolls, with a limited height.
 * @param headHeight Height in pixels of the sticky header, which covers rows.
 */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  headHeight: number,
): VirtualRows {
  const [, render] = useReducer((renders: number, _: undefined) => renders + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialRect: { width: 0, height: 800 },
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    measureElement,
    onChange: () => render(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const view = { measure: virtualizer.measureElement, reveal: virtualizer.scrollToIndex };
  if (isPrinting.value || !first || !last)
    return { ...view, indexes: Array.from({ length: count }, (_, at) => at), before: 0, after: 0 };
  return {
    ...view,
    indexes: items.map(({ index }) => index),
    before: first.start - headHeight,
    after: virtualizer.getTotalSize() - (last.end - headHeight),
  };
}

export interface Size {
  readonly width: number;
  readonly height: number;
  /** The width of the borders and of the scroll bar. */
  readonly edges: number;
}

/** The size in pixels of an element, kept as it changes. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, edges: 2 });
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const read = () =>
      setSize((before) => {
        const { offsetWidth: width, offsetHeight: height } = target;
        const edges = width - target.clientWidth;
        const isSame = before.width === width && before.height === height && before.edges === edges;
        return isSame ? before : { width, height, edges };
      });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
