/** A list of records as a table, of which the visible rows are rendered; with its export. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { All } from './all.js';
import { t } from './language.js';
import { Card, Empty, Export, Failure, Loading } from './parts.js';
import { useSize, useVirtualRows } from './virtual.js';

export interface TableColumn<Row> {
  readonly name: string;
  /** `extra` is left out on a phone, `day` does not wrap. */
  readonly class?: string;
  /** For the export; days as YYYY-MM-DD. */
  readonly text: (row: Row) => string;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row, Data> {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly lead?: string;
  /** The name of the exported file. */
  readonly name: string;
  readonly of: All<Data>;
  readonly rows: (data: Data) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly TableColumn<Row>[];
  readonly empty: string;
}

export function TableCard<Row, Data>({
  title,
  aside,
  lead,
  name,
  of,
  rows,
  keyOf,
  columns,
  empty,
}: TableProps<Row, Data>) {
  const found = of.lists?.flat().flatMap(rows);
  const exported = () => [
    columns.map((column) => column.name),
    ...(found ?? []).map((row) => columns.map(({ text }) => text(row))),
  ];
  return (
    <Card
      title={title}
      aside={
        <div class="tools">
          {aside}
          <Export
            name={of.more ? `${name} ${t.errors.partOf(found?.length ?? 0)}` : name}
            rows={of.isComplete ? exported : undefined}
          />
        </div>
      }
    >
      {lead && <p class="muted">{lead}</p>}
      <div aria-busy={of.isLoading}>
        {of.error && <Failure error={of.error} retry={of.retry} />}
        {found?.length === 0 && <Empty>{empty}</Empty>}
        {found && found.length > 0 && (
          <Rows label={title} rows={found} keyOf={keyOf} columns={columns} />
        )}
        {!found && of.isLoading && <Loading />}
        <More of={of} count={found?.length ?? 0} />
      </div>
    </Card>
  );
}

/** Says that a list is longer than what is loaded, and loads more of it. */
export const More = ({ of: { more, isLoading }, count }: { of: All<unknown>; count: number }) =>
  more ? (
    <div class="notice warning" role="status">
      <p>{t.errors.truncated(count)}</p>
      <button type="button" class="button plain" disabled={isLoading} onClick={more}>
        {t.errors.loadMore}
      </button>
    </div>
  ) : null;

/** Stands for the rows that are not rendered. */
export const Space = ({ height }: { height: number }) => <tr style={{ height: `${height}px` }} />;

function Rows<Row>({
  label,
  rows,
  keyOf,
  columns,
}: Pick<TableProps<Row, unknown>, 'keyOf' | 'columns'> & {
  label: string;
  rows: readonly Row[];
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLTableSectionElement>(null);
  const { height } = useSize(head);
  const visible = useVirtualRows(scroller, rows.length, 41, height);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
    <section class="scroller" ref={scroller} tabIndex={0} aria-label={label}>
      <table class="list" aria-rowcount={rows.length + 1}>
        <thead ref={head}>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={column.class}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.before > 0 && <Space height={visible.before} />}
          {visible.indexes.map((index) => {
            const row = rows[index];
            return (
              row && (
                <tr
                  key={keyOf(row)}
                  data-index={index}
                  ref={visible.measure}
                  aria-rowindex={index + 2}
                >
                  {columns.map((column) => (
                    <td key={column.name} class={column.class}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              )
            );
          })}
          {visible.after > 0 && <Space height={visible.after} />}
        </tbody>
      </table>
    </section>
  );
}
