import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';

/** A column of a table: its share of the page's width, and its heading. */
export interface Column {
  readonly title: string;
  readonly share: number;
}

type Style = keyof typeof styles;
type Level = 1 | 2 | 3;
type Structure = PDFKit.PDFStructureElement;

const fonts = new URL('../../../assets/fonts/', import.meta.url);
const ink = '#1c2330';
const muted = '#4a5362';
const line = '#c9ced6';
const margin = 54;
const footerSpace = 30;
const rowsAtOnce = 25;

const styles = {
  text: { font: 'regular', size: 9.5, color: ink },
  strong: { font: 'bold', size: 9.5, color: ink },
  muted: { font: 'regular', size: 8.5, color: muted },
  cell: { font: 'regular', size: 8, color: ink },
  columnTitle: { font: 'bold', size: 8, color: ink },
  title: { font: 'bold', size: 26, color: ink },
  heading1: { font: 'bold', size: 16, color: ink },
  heading2: { font: 'bold', size: 12, color: ink },
  heading3: { font: 'bold', size: 10, color: ink },
} as const;

/**
 * Writes a tagged PDF (ISO 32000-1, section 14.8): headings, paragraphs and tables in reading order, with bookmarks, page
 * numbers and embedded fonts. Lines of tables and page numbers are artifacts.
 */
export class ReportWriter {
  readonly stream: Readable;
  readonly #doc: PDFKit.PDFDocument;
  readonly #root: Structure;
  readonly #outline: PDFKit.PDFOutline[] = [];
  readonly #footer: string;

  constructor(options: { readonly title: string; readonly footer: string; readonly madeAt: Date }) {
    const doc = new PDFDocument({
      size: 'LETTER',
      margins: { top: margin, left: margin, right: margin, bottom: margin + footerSpace },
      pdfVersion: '1.7',
      tagged: true,
      lang: 'en-US',
      displayTitle: true,
      bufferPages: true,
      info: { Title: options.title, Creator: 'Parapet', CreationDate: options.madeAt },
    });
    doc.registerFont('regular', fontFile('DejaVuSansCondensed.ttf'));
    doc.registerFont('bold', fontFile('DejaVuSansCondensed-Bold.ttf'));
    this.#doc = doc;
    this.#footer = options.footer;
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
    this.stream = doc as unknown as Readable;
  }

  title(text: string): void {
    this.#doc.moveDown(6);
    this.#bookmark(1, text);
    this.#add('H1', () => this.#write(text, 'title'));
    this.#doc.moveDown(0.5);
  }

  /** Headings of the first level begin a page. */
  heading(level: Level, text: string): void {
    if (level === 1) this.#doc.addPage();
    else this.#keepTogether(level === 2 ? 130 : 90);
    this.#doc.moveDown(level === 1 ? 0 : 0.9);
    this.#bookmark(level, text);
    this.#add(`H${level}`, () => this.#write(text, `heading${level}`));
    this.#doc.moveDown(0.35);
  }

  paragraph(text: string, style: Style = 'text'): void {
    this.#add('P', () => this.#write(text, style));
    this.#doc.moveDown(0.35);
  }

  /** A row that does not fit goes to the next page as a whole, under the titles of the columns. */
  async table(columns: readonly Column[], rows: readonly (readonly string[])[]): Promise<void> {
    const table = this.#doc.struct('Table');
    this.#root.add(table);
    const titles = columns.map(({ title }) => title);
    const widths = this.#widths(columns);
    this.#keepTogether(60);
    this.#row(titles, widths, 'columnTitle', this.#structure(table, 'TH'));
    for (const [index, row] of rows.entries()) {
      // Setting text takes a millisecond a row: requests get their turn in between.
      if (index % rowsAtOnce === 0) await nextTurn();
      if (this.#doc.y + this.#height(row, widths, 'cell') > this.#bottom) {
        this.#doc.addPage();
        this.#row(titles, widths, 'columnTitle', draw => this.#artifact('Layout', draw));
      }
      this.#row(row, widths, 'cell', this.#structure(table, 'TD'));
    }
    table.end();
    this.#doc.moveDown(0.6);
  }

  /** Numbers the pages and closes the file. */
  end(): void {
    this.#root.end();
    const { start, count } = this.#doc.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      this.#doc.switchToPage(page);
      this.#artifact('Pagination', () => this.#writeFooter(`Page ${page + 1} of ${count}`));
    }
    this.#doc.end();
  }

  get #bottom(): number {
    return this.#doc.page.height - margin - footerSpace;
  }

  #keepTogether(height: number): void {
    if (this.#doc.y + height > this.#bottom) this.#doc.addPage();
  }

  #add(tag: string, draw: () => void): void {
    this.#root.add(this.#doc.struct(tag, {}, draw));
  }

  #artifact(type: 'Layout' | 'Pagination', draw: () => void): void {
    this.#doc.markContent('Artifact', { type });
    draw();
    this.#doc.endMarkedContent();
  }

  #write(text: string, style: Style, options: PDFKit.Mixins.TextOptions = {}): void {
    const { font, size, color } = styles[style];
    this.#doc.font(font).fontSize(size).fillColor(color).text(printable(text), margin, this.#doc.y, options);
  }

  #bookmark(level: Level, text: string): void {
    const parent = level === 1 ? this.#doc.outline : this.#outline[level - 2]!;
    this.#outline.length = level - 1;
    this.#outline.push(parent.addItem(text));
  }

  #widths(columns: readonly Column[]): number[] {
    const width = this.#doc.page.width - 2 * margin;
    const shares = columns.reduce((sum, { share }) => sum + share, 0);
    return columns.map(({ share }) => (width * share) / shares);
  }

  #height(cells: readonly string[], widths: readonly number[], style: Style): number {
    const { font, size } = styles[style];
    this.#doc.font(font).fontSize(size);
    const heights = cells.map((cell, index) =>
      this.#doc.heightOfString(printable(cell), { width: widths[index]! - 8 }),
    );
    return Math.max(...heights) + 6;
  }

  /** The cells beside each other, each drawn within what `mark` makes of it, and a line below. */
  #row(
    cells: readonly string[],
    widths: readonly number[],
    style: Style,
    mark: (draw: () => void, index: number) => void,
  ): void {
    const top = this.#doc.y;
    const height = this.#height(cells, widths, style);
    const { font, size, color } = styles[style];
    let left = margin;
    cells.forEach((cell, index) => {
      const width = widths[index]! - 8;
      const x = left;
      const draw = () => {
        this.#doc
          .font(font)
          .fontSize(size)
          .fillColor(color)
          .text(printable(cell), x, top + 3, { width });
      };
      mark(draw, index);
      left += widths[index]!;
    });
    this.#artifact('Layout', () => {
      this.#doc
        .moveTo(margin, top + height)
        .lineTo(left, top + height)
        .lineWidth(0.5)
        .stroke(line);
    });
    this.#doc.x = margin;
    this.#doc.y = top + height;
  }

  /** Puts the cells of one row into the table's structure. */
  #structure(table: Structure, tag: 'TH' | 'TD'): (draw: () => void, index: number) => void {
    let row: Structure | undefined;
    return (draw, index) => {
      if (index === 0) {
        row = this.#doc.struct('TR');
        table.add(row);
      }
      row!.add(this.#doc.struct(tag, {}, draw));
    };
  }

  #writeFooter(pages: string): void {
    const { width, height, margins } = this.#doc.page;
    const { font, size, color } = styles.muted;
    const y = height - margin;
    const bottom = margins.bottom;
    // Below the margin, where text would begin another page.
    margins.bottom = 0;
    this.#doc.font(font).fontSize(size).fillColor(color);
    const pagesWidth = this.#doc.widthOfString(pages);
    const right = width - margin - pagesWidth;
    const own = { width: right - margin - 20, height: size * 1.2, ellipsis: true };
    this.#doc.text(printable(this.#footer), margin, y, own);
    this.#doc.text(pages, right, y, { lineBreak: false });
    margins.bottom = bottom;
  }
}

function fontFile(name: string): string {
  return fileURLToPath(new URL(name, fonts));
}

/** Without what PDF text cannot show: control characters, and those that turn the direction of writing around. */
function printable(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '')
    .replaceAll('\t', ' ');
}
