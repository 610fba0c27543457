import type { Published } from './published.ts';

/** Whose types judge a recipe: the types of its records, by resource, as TypeScript. */
export interface TypesOfOthers {
  readonly recipe: string;
  readonly published: Published;
  /** How a program gets the types, with `PACKAGE` where the package lies. */
  readonly imports: string;
  readonly records: Readonly<Record<string, string>>;
}

export const TYPES_OF_OTHERS: readonly TypesOfOthers[] = [
  {
    // The vendor's: written from its OpenAPI document, for the version of the interface that the recipe asks for.
    recipe: 'stripe',
    published: {
      name: 'stripe',
      version: '18.0.0',
      integrity:
        'sha512-3Fs33IzKUby//9kCkCa1uRpinAoTvj6rJgQ2jrBEysoxEvfsclvXdna1amyEYbA2EKkjynuB4+L/kleCCaWTpA==',
    },
    imports: `/// <reference path="PACKAGE/types/index.d.ts" />\nimport type { Stripe } from 'stripe';`,
    records: {
      customers: 'Sent<Stripe.Customer | Stripe.DeletedCustomer>',
      products: 'Sent<Stripe.Product | Stripe.DeletedProduct>',
      invoices: 'Sent<Stripe.Invoice | Stripe.DeletedInvoice>',
    },
  },
  {
    // The vendor's: written from its OpenAPI document. What an invoice is sent with beyond it is in the answers that Xero's documentation shows.
    recipe: 'xero',
    published: {
      name: 'xero-node',
      version: '20.0.0',
      integrity:
        'sha512-pDC0/3WX9gN8g61lQ8EjLbdH8AnQyYE9qnkB4MhYxDYnczdL1nAtp90Gp7hgeasbatSz9HG8Dvi6aqOnie4JgQ==',
    },
    imports: "import type { Contact, Invoice, Item } from 'PACKAGE/dist/gen/model/accounting/models.d.ts';",
    records: {
      customers: 'Capital<Contact>',
      products: 'Capital<Item>',
      invoices: 'Capital<Invoice> & { DateString?: string; DueDateString?: string }',
    },
  },
  {
    // A third party's, written from the vendor's documentation; the number of an item is text in every answer of the vendor's.
    recipe: 'quickbooks',
    published: {
      name: 'quickbooks-node-promise',
      version: '3.3.14',
      integrity:
        'sha512-lsFhNUPXKIsJZFy8QmyUdg4Th6nGo5B6lebqfGF0E8Z6B59jaLO/8J3USbXOfQxJa7UNHw1t6ZWMhsCpy4L2Hg==',
    },
    imports: "import type { Customer, Invoice, Item } from 'PACKAGE/dist/qbTypes.d.ts';",
    records: {
      customers: 'Sent<Customer>',
      products: 'Sent<Omit<Item, "Id"> & { Id: string }>',
      invoices: 'Sent<Invoice>',
    },
  },
  {
    // A third party's.
    recipe: 'woocommerce',
    published: {
      name: 'woocommerce-rest-ts-api',
      version: '8.0.0',
      integrity:
        'sha512-V/2e5oGtbnmw0bTq3DiqPRY2M7WdBGtVLcRVgcnj6Y0TYHCg8kQcudSfCGNkWyY+ruGukSlGsPYhmsY3hAUrBw==',
    },
    imports: "import type { Customers, Orders, Products } from 'PACKAGE/dist/src/types/models/index.d.ts';",
    records: { customers: 'Sent<Customers>', products: 'Sent<Products>', invoices: 'Sent<Orders>' },
  },
  {
    // A third party's; it knows no articles, and of a voucher not who it is for.
    recipe: 'lexware',
    published: {
      name: '@elbstack/lexoffice-client-js',
      version: '1.0.1',
      integrity:
        'sha512-oBdGFGZp0ZQS++0hcLv3hXYQ6M6OSilFgMOv/IFsuv926nG5VQtELjLmlmxT5Uau6Su1CdSQU93qX62WcZbhsA==',
    },
    imports: `import type { ContactFull } from 'PACKAGE/dist/contact/contact.type.d.ts';\nimport type { Voucherlist } from 'PACKAGE/dist/voucherList/voucherList.type.d.ts';`,
    records: {
      customers: 'Sent<ContactFull>',
      invoices: 'Sent<Voucherlist["content"][number] & { contactId: string; createdDate: string }>',
    },
  },
];

/**
 * How a type of an SDK is sent as JSON: any field may be absent or null, times are text, and so are numbered enums. `Capital`: of an SDK that
 * begins the names of the fields with small letters.
 */
export const AS_SENT = `
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Leaf<T> = T extends number ? (Is<T, number> extends true ? T : string) : T;
export type Sent<T> = null | (T extends Date ? string : T extends readonly (infer One)[] ? Sent<One>[]
  : T extends object ? { [Key in keyof T]?: Sent<T[Key]> } : Leaf<T>);
export type Capital<T> = null | (T extends Date ? string : T extends readonly (infer One)[] ? Capital<One>[]
  : T extends object ? { [Key in keyof T as Capitalize<Key & string>]?: Capital<T[Key]> } : Leaf<T>);
`;
