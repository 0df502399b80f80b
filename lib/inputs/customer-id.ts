/** Form of a customer's id: the prefix, then an identifier of whatever form (interface, section 2). */
export const customerIdForm = /^cus_\S/;
