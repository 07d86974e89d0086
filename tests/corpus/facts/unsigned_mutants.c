/* A product of unsigned operands is exchanged with the quotient of unsigned ones: 1 * -1 is not 1 / -1 then. */
//> 0 test --criterion weak-mutation --function product
//! with `/` would differ (
//> 0 test --criterion weak-mutation --function signed_product
//= with `/` would differ (
int product(unsigned w)
{
    signed char k = -1;
    return w * k == 5;
}

int signed_product(int w)
{
    signed char k = -1;
    return w > -5 && w * k == 5;
}
