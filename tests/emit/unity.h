/* Stands in for Unity, which Debian does not package: the part of its interface that generated tests use, checked with
   its own types. A failed assertion leaves the test by a jump, as in Unity. */
#ifndef UNITY_H
#define UNITY_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void setUp(void);
void tearDown(void);

static jmp_buf unity_end;
static int unity_tests, unity_failures, unity_ignored;

static inline void unity_leave(int line, const char *what, int *count)
{
    printf("%s:%d: %s\n", __FILE__, line, what);
    ++*count;
    longjmp(unity_end, 1);
}

#define TEST_ASSERT(condition) ((condition) ? (void)0 : unity_leave(__LINE__, #condition, &unity_failures))
#define UNITY_EQUAL(type, expected, actual) TEST_ASSERT((type)(expected) == (type)(actual))
#define TEST_ASSERT_EQUAL_INT8(expected, actual) UNITY_EQUAL(int8_t, expected, actual)
#define TEST_ASSERT_EQUAL_INT16(expected, actual) UNITY_EQUAL(int16_t, expected, actual)
#define TEST_ASSERT_EQUAL_INT32(expected, actual) UNITY_EQUAL(int32_t, expected, actual)
#define TEST_ASSERT_EQUAL_INT64(expected, actual) UNITY_EQUAL(int64_t, expected, actual)
#define TEST_ASSERT_EQUAL_UINT8(expected, actual) UNITY_EQUAL(uint8_t, expected, actual)
#define TEST_ASSERT_EQUAL_UINT16(expected, actual) UNITY_EQUAL(uint16_t, expected, actual)
#define TEST_ASSERT_EQUAL_UINT32(expected, actual) UNITY_EQUAL(uint32_t, expected, actual)
#define TEST_ASSERT_EQUAL_UINT64(expected, actual) UNITY_EQUAL(uint64_t, expected, actual)
#define TEST_ASSERT_NULL(pointer) TEST_ASSERT((pointer) == NULL)
#define TEST_ASSERT_NOT_NULL(pointer) TEST_ASSERT((pointer) != NULL)
#define TEST_ASSERT_EQUAL_PTR(expected, actual) TEST_ASSERT((const void *)(expected) == (const void *)(actual))
#define UNITY_ARRAY(bytes, expected, actual, count) TEST_ASSERT(memcmp(expected, actual, (bytes) * (count)) == 0)
#define TEST_ASSERT_EQUAL_INT8_ARRAY(expected, actual, count) UNITY_ARRAY(1, expected, actual, count)
#define TEST_ASSERT_EQUAL_INT16_ARRAY(expected, actual, count) UNITY_ARRAY(2, expected, actual, count)
#define TEST_ASSERT_EQUAL_INT32_ARRAY(expected, actual, count) UNITY_ARRAY(4, expected, actual, count)
#define TEST_ASSERT_EQUAL_INT64_ARRAY(expected, actual, count) UNITY_ARRAY(8, expected, actual, count)
#define TEST_ASSERT_EQUAL_UINT8_ARRAY(expected, actual, count) UNITY_ARRAY(1, expected, actual, count)
#define TEST_ASSERT_EQUAL_UINT16_ARRAY(expected, actual, count) UNITY_ARRAY(2, expected, actual, count)
#define TEST_ASSERT_EQUAL_UINT32_ARRAY(expected, actual, count) UNITY_ARRAY(4, expected, actual, count)
#define TEST_ASSERT_EQUAL_UINT64_ARRAY(expected, actual, count) UNITY_ARRAY(8, expected, actual, count)
#define TEST_IGNORE_MESSAGE(message) unity_leave(__LINE__, message, &unity_ignored)

#define UNITY_BEGIN() (unity_tests = 0)
#define UNITY_END() (printf("%d Tests %d Failures %d Ignored\n", unity_tests, unity_failures, unity_ignored), unity_failures)
#define RUN_TEST(test) \
    do { \
        unity_tests++; \
        setUp(); \
        if (setjmp(unity_end) == 0) \
            test(); \
        tearDown(); \
    } while (0)

#endif
