//! Criteria become objectives, observations decide them.
